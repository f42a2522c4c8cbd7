"""Which part of a project is remote, by the kernel's table of mounts."""

from pathlib import Path

import pytest

from memoire.episodes.mounts import mounts, network_mounts, remote_below

TABLE = rb"""22 1 252:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:26 / /proc rw - proc proc rw
41 22 0:50 / /home/me/share rw,nosuid shared:9 master:2 - nfs4 server:/x rw,vers=4.2
42 22 0:51 / /home/me/my\040disk rw - fuse.sshfs me@host: rw
43 42 0:52 / /home/me/my\040disk/inner rw - tmpfs tmpfs rw
44 22 0:53 / /mnt/c rw - 9p drvfs rw
45 22 0:54 / /home/me/covered rw - cifs //s/x rw
46 45 252:0 /y /home/me/covered rw - ext4 /dev/vda rw
broken line
"""


@pytest.mark.parametrize(
    ("root", "remote"),
    [
        (b"/home/me/local", {}),
        (b"/home/me/share", {b"": "nfs4"}),
        (b"/home/me/share/deep/er", {b"": "nfs4"}),
        (b"/home/me/shared", {}),
        (b"/home/me/my disk/p", {b"": "fuse.sshfs"}),
        (b"/home/me/my disk/inner", {}),
        (b"/home/me", {b"share/": "nfs4", b"my disk/": "fuse.sshfs"}),
        (b"/mnt/c/Users/me/p", {b"": "9p"}),
        (b"/home/me/covered", {}),
        (b"/", {b"home/me/share/": "nfs4", b"home/me/my disk/": "fuse.sshfs", b"mnt/c/": "9p"}),
    ],
)
def test_the_nearest_mount_above_and_every_one_below_count(root: bytes, remote: dict[bytes, str]) -> None:
    assert remote_below(root, mounts(TABLE)) == remote


def test_the_table_of_this_machine_can_be_read(tmp_path: Path) -> None:
    assert isinstance(network_mounts(bytes(tmp_path)), dict)
    assert mounts(b"") == {}
    assert remote_below(b"/x", {}) == {}
