"""Which part of a project lies on a network file system: there the system tells of this machine's changes only.

Linux says what is mounted where in /proc/self/mountinfo; elsewhere nothing is known, and nothing is assumed.
"""

import re
from collections.abc import Mapping
from pathlib import Path

_TABLE = Path("/proc/self/mountinfo")

_NETWORK = frozenset(
    (b"9p", b"afs", b"ceph", b"cifs", b"coda", b"drvfs", b"fuse.glusterfs", b"fuse.osxfs", b"fuse.portal",
     b"fuse.rclone", b"fuse.s3fs", b"fuse.sshfs", b"fuse.vmhgfs-fuse", b"fuse.grpcfuse", b"glusterfs", b"lustre",
     b"ncpfs", b"nfs", b"nfs4", b"prl_fs", b"smb3", b"smbfs", b"vboxsf", b"virtiofs", b"vmhgfs")
)  # fmt: skip
"""Types whose files others change too: of networks, of a virtual machine's host, of Windows under WSL (9p, drvfs).

Source: filesystems(5), the file systems under fs/ in Linux; for why, inotify(7), section on limitations.
"""

_ESCAPED = re.compile(rb"\\([0-7]{3})")


def network_mounts(root: bytes) -> dict[bytes, str]:
    """Return the directories of a project, with a trailing slash and empty for the root, from which on it is remote.

    Args:
        root: Real path of the project.

    Returns:
        Directory relative to the root -> type of the file system.
    """
    try:
        return remote_below(root, mounts(_TABLE.read_bytes()))
    except OSError:
        return {}


def mounts(table: bytes) -> dict[bytes, bytes]:
    """Return mount point -> type of the file system, of the text of /proc/self/mountinfo.

    Of several at one place the last counts. Source: proc(5); a line is: id, parent, device, root, mount point, options,
    optional fields, `-`, type, source, options. Blanks are written as octal numbers.
    """
    found = {}
    for line in table.splitlines():
        before, _, after = line.partition(b" - ")
        fields, rest = before.split(b" "), after.split(b" ")
        if len(fields) >= 6 and rest[0]:
            place = _ESCAPED.sub(lambda match: bytes([int(match[1], 8) & 0xFF]), fields[4])
            found[place] = rest[0]
    return found


def remote_below(root: bytes, mounted: Mapping[bytes, bytes]) -> dict[bytes, str]:
    """Return what `network_mounts` returns, of what is mounted where."""
    top = root.rstrip(b"/") + b"/"
    around = max((place for place in mounted if top.startswith(place.rstrip(b"/") + b"/")), key=len, default=b"")
    found = {}
    if mounted.get(around) in _NETWORK:
        found[b""] = mounted[around].decode("ascii", "replace")
    for place, kind in mounted.items():
        if place.startswith(top) and kind in _NETWORK:
            found[place[len(top) :] + b"/"] = kind.decode("ascii", "replace")
    return found
