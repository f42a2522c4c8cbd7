"""Walking a tree and reading one file of it, on hostile input."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

import pytest

from memoire.config import Settings
from memoire.ignore import Ignore
from memoire.model import Problem
from memoire.scan import GONE, Entry, Scan, look, read_file, scan

NFC = "na\u00efve file.py"
NFD = unicodedata.normalize("NFD", NFC)


pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "proj"
    folder.mkdir()
    return folder


def walk(root: Path, under: str = "") -> Scan:
    return scan(root, Ignore(root), under=under)


def paths_of(found: Scan) -> list[str]:
    return [entry.path for entry in found.files]


def test_every_file_comes_with_size_and_time_in_the_order_of_paths(root: Path) -> None:
    (root / "b" / "c").mkdir(parents=True)
    (root / "b" / "c" / "z.py").write_text("12345")
    (root / "a.py").write_text("")
    os.utime(root / "a.py", ns=(5, 7))
    found = walk(root)
    ctime_ns = (root / "a.py").stat().st_ctime_ns
    last = (root / "b/c/z.py").stat()
    assert found.files == [
        Entry("a.py", 0, 7, stamp_ns=ctime_ns),
        Entry("b/c/z.py", 5, last.st_mtime_ns, stamp_ns=max(last.st_mtime_ns, last.st_ctime_ns)),
    ]
    assert found.folders == ["", "b", "b/c"]
    assert found.problems == []


def test_links_are_not_followed_and_loops_end(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.py").write_text("x")
    (root / "roles" / "docker" / "molecule").mkdir(parents=True)
    (root / "roles" / "docker" / "molecule" / "docker").symlink_to("../../docker")
    (root / "loop").symlink_to(".")
    (root / "self").symlink_to("self")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "out.py").symlink_to(tmp_path / "outside" / "secret.py")
    (root / "real.py").write_text("x")
    (root / "alias.py").symlink_to("real.py")
    found = walk(root)
    assert paths_of(found) == ["real.py"]
    assert found.problems == []


def test_pipes_and_sockets_are_named_and_never_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(root / "pipe")
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock")
        found = walk(root)
        assert read_file(root, "sock", 10) == Problem("not-a-file", "is a link, a directory or a socket")
    problem = Problem("not-a-file", "is a pipe, socket or device")
    assert sorted(found.problems) == [("pipe", problem), ("sock", problem)]
    assert read_file(root, "pipe", 10) == Problem("not-a-file", "is a directory, pipe, socket or device")


def test_names_are_nfc_and_those_that_are_no_text_are_problems(root: Path) -> None:
    (root / NFD).write_text("decomposed")
    (root / os.fsdecode(b"bad\xff.py")).write_text("x")
    (root / os.fsdecode(b"dir\xff")).mkdir()
    (root / os.fsdecode(b"dir\xff") / "x.py").write_text("x")
    found = walk(root)
    assert paths_of(found) == [NFC]
    problem = Problem("encoding", "its name is not UTF-8")
    assert sorted(found.problems) == [("bad\\xff.py", problem), ("dir\\xff", problem)]
    assert read_file(root, NFC, 100) == b"decomposed"
    assert look(root, NFC) == found.files[0]


def test_of_two_names_that_are_one_the_normal_one_stays(root: Path) -> None:
    (root / NFD).write_text("decomposed")
    (root / NFC).write_text("composed")
    found = walk(root)
    assert paths_of(found) == [NFC]
    assert found.problems == [(NFC, Problem("encoding", "two names differ in Unicode normalisation only"))]
    assert read_file(root, NFC, 100) == b"composed"


def test_a_part_of_the_tree_is_walked_alone(root: Path) -> None:
    for name in ("a/b/x.py", "a/y.py", f"{NFD}/z.py", "node_modules/m.js"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    assert paths_of(walk(root, "a/b")) == ["a/b/x.py"]
    assert paths_of(walk(root, NFC)) == [f"{NFC}/z.py"]
    assert walk(root, "node_modules") == walk(root, "gone") == Scan([], [], [])


def test_a_root_that_is_gone_is_empty(tmp_path: Path) -> None:
    assert scan(tmp_path / "gone", Ignore(tmp_path / "gone")) == Scan([], [], [])


def test_what_may_not_be_read_is_a_problem() -> None:
    folder = Path(tempfile.mkdtemp())
    (folder / "d").mkdir()
    (folder / "d" / "x.py").touch()
    (folder / "f.py").touch()
    for name, mode in (("", 0o755), ("d", 0o000), ("f.py", 0o000)):
        (folder / name).chmod(mode)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)  # root reads everything
    try:
        denied = Problem("unreadable", "Permission denied")
        assert walk(folder).problems == [("d", denied)]
        assert read_file(folder, "f.py", 10) == denied
        assert read_file(folder, "d/x.py", 10) == denied
    finally:
        os.seteuid(user)
        (folder / "d").chmod(0o700)
        shutil.rmtree(folder)


def test_large_files_are_listed_with_a_problem_and_not_read(root: Path) -> None:
    (root / "big.py").write_bytes(b"x" * 2049)
    found = scan(root, Ignore(root), Settings(max_file_kb=2))
    assert paths_of(found) == ["big.py"]
    assert found.problems == [("big.py", Problem("too-large", "2049 bytes"))]
    assert read_file(root, "big.py", 2048) == Problem("too-large", "2049 bytes")
    assert read_file(root, "big.py", 2049) == b"x" * 2049


def test_a_file_without_a_size_is_read_no_further_than_the_limit() -> None:
    # Files of /proc say that they are empty.
    assert isinstance(read_file("/proc", "cpuinfo", 1 << 20), bytes)
    assert read_file("/proc", "cpuinfo", 10) == Problem("too-large", "more than 10 bytes")


def test_secrets_are_known_and_never_read(root: Path) -> None:
    (root / ".env").write_text("TOKEN=x")
    (root / "server.pem").write_text("x")
    found = walk(root)
    assert [(entry.path, entry.label) for entry in found.files] == [(".env", "secret"), ("server.pem", "secret")]
    problem = read_file(root, ".env", 100)
    assert isinstance(problem, Problem)
    assert problem.code == "secret"


@pytest.mark.parametrize(
    "path", ["gone.py", "d/gone.py", "a.py/x", "../outside.py", "d/../../outside.py", "", "link/x.py", "a\0b", "\ud800"]
)
def test_what_is_no_file_of_the_project_is_gone(root: Path, tmp_path: Path, path: str) -> None:
    (root / "d").mkdir()
    (root / "a.py").touch()
    (tmp_path / "outside.py").write_text("x")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.py").write_text("x")
    (root / "link").symlink_to(tmp_path / "elsewhere")
    assert read_file(root, path, 100) is GONE


def test_a_link_or_a_directory_is_not_read(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("x")
    (root / "link.py").symlink_to(tmp_path / "outside.py")
    (root / "d").mkdir()
    for path in ("link.py", "d"):
        problem = read_file(root, path, 100)
        assert isinstance(problem, Problem)
        assert problem.code == "not-a-file"
        assert look(root, path) is None


def test_a_directory_swapped_for_a_link_leads_nowhere(root: Path, tmp_path: Path) -> None:
    (root / "d").mkdir()
    (root / "d" / "x.py").write_text("inside")
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x.py").write_text("outside")
    assert read_file(root, "d/x.py", 100) == b"inside"
    (root / "d").rename(root / "old")
    (root / "d").symlink_to(tmp_path / "d")
    assert read_file(root, "d/x.py", 100) is GONE


def test_a_tree_of_odd_names_is_walked_under_the_c_locale(root: Path) -> None:
    (root / "latin1.py").write_bytes(b"# caf\xe9\n")
    (root / NFC).write_text("x")
    (root / f"d{NFD}").mkdir()
    (root / f"d{NFD}" / "y.py").write_text("y")
    code = (
        "import sys; from memoire.ignore import Ignore; from memoire.scan import scan, read_file\n"
        "root = sys.argv[1]\n"
        "for entry in scan(root, Ignore(root)).files:\n"
        "    sys.stdout.buffer.write(entry.path.encode() + b'=' + read_file(root, entry.path, 99) + b';')\n"
    )
    environ = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONPATH": str(Path.cwd())}
    done = subprocess.run([sys.executable, "-c", code, str(root)], env=environ, capture_output=True, check=True)
    assert done.stdout == f"d{NFC}/y.py=y;latin1.py=".encode() + b"# caf\xe9\n;" + f"{NFC}=x;".encode()


def test_a_deep_tree_is_walked_to_its_end(root: Path) -> None:
    deep = root.joinpath(*["d"] * 300)
    deep.mkdir(parents=True)
    (deep / "x.py").write_text("x")
    found = walk(root)
    assert len(found.folders) == 301
    assert read_file(root, found.files[0].path, 10) == b"x"
