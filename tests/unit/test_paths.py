"""Project roots, state folders, sockets and the spelling of paths."""

import os
import stat
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from memoire import paths
from memoire.errors import UnsafeFolderError

NFC = "na\u00efve file.py"
NFD = unicodedata.normalize("NFD", NFC)


pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work" / "Proj One"
    folder.mkdir(parents=True)
    return folder


def test_the_root_is_the_nearest_parent_with_a_memoire_folder(root: Path) -> None:
    (root / ".git").mkdir()
    (root / "pkg" / ".memoire").mkdir(parents=True)
    (root / "pkg" / "a" / "b").mkdir(parents=True)
    assert paths.find_root(root / "pkg" / "a" / "b") == str(root / "pkg")


def test_the_root_is_the_git_work_tree_where_no_memoire_folder_is_nearer(root: Path) -> None:
    (root / ".git").mkdir()
    (root / "a").mkdir()
    assert paths.find_root(root / "a") == str(root)


@pytest.mark.parametrize("is_file", [True, False])
def test_the_search_does_not_go_beyond_the_first_git(root: Path, is_file: bool) -> None:
    (root / ".memoire").mkdir()
    inner = root / "vendor" / "sub"
    inner.mkdir(parents=True)
    if is_file:
        (inner / ".git").write_text("gitdir: ../../.git/modules/sub\n")
    else:
        (inner / ".git").mkdir()
    (inner / "src").mkdir()
    assert paths.find_root(inner / "src") == str(inner)


def test_a_folder_of_nothing_is_its_own_root_and_a_file_stands_for_its_folder(root: Path) -> None:
    (root / "x.py").touch()
    assert paths.find_root(root) == str(root)
    assert paths.find_root(root / "x.py") == str(root)
    assert paths.find_root(root / "gone" / "y.py") == str(root)


def test_a_symlinked_memoire_folder_marks_no_root_and_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (root / ".memoire").symlink_to(tmp_path / "elsewhere")
    (root / "a").mkdir()
    assert paths.find_root(root / "a") == str(root / "a")
    assert "symbolic link" in paths.refuse_reason(root)
    with pytest.raises(UnsafeFolderError, match="symbolic link"):
        paths.config_dir(root)
    with pytest.raises(UnsafeFolderError):
        paths.write_local(root)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_stray_memoire_folder_in_the_home_makes_no_project_of_everything(home: Path) -> None:
    (home / ".memoire").mkdir()
    (home / "play").mkdir()
    assert paths.find_root(home / "play") == str(home / "play")
    (home / ".memoire" / "config.toml").write_text('project_id = "all_00000000"\n')
    assert paths.find_root(home / "play") == str(home)


def test_every_spelling_of_one_folder_is_one_project(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to(root)
    monkeypatch.chdir(root)
    spellings = [str(root), f"{root}/", f"{root}/.", f"{root}/../{root.name}", str(link), f"{link}/", ".", "./"]
    assert {paths.find_root(spelling) for spelling in spellings} == {str(root)}
    assert len({paths.project_id(spelling) for spelling in spellings}) == 1
    assert len({paths.state_dir(spelling) for spelling in spellings}) == 1
    assert len({paths.socket_path(spelling) for spelling in spellings}) == 1


def test_two_folders_of_one_name_are_two_projects(tmp_path: Path) -> None:
    for parent in ("a", "b"):
        (tmp_path / parent / "app").mkdir(parents=True)
    assert paths.project_id(tmp_path / "a" / "app") != paths.project_id(tmp_path / "b" / "app")
    assert paths.state_dir(tmp_path / "a" / "app") != paths.state_dir(tmp_path / "b" / "app")


@pytest.mark.parametrize(
    ("folder", "reason"),
    [
        ("/", "the root of the file system"),
        ("/etc", "a system directory"),
        ("/usr/", "a system directory"),
        ("/proc/1", "a system directory"),
        ("~", "your home directory"),
        ("~/..", "a parent of your home directory"),
        ("~/Downloads", "a folder of personal files"),
        ("~/.local/state/memoire/x", "the state folder of memoire itself"),
        ("~/gone", "not a directory"),
        ("~/code/.git/hooks", "inside a `.git` folder"),
        ("~/code", ""),
        ("~/Documents/app", ""),
    ],
)
def test_folders_too_large_or_too_private_are_refused_with_a_reason(home: Path, folder: str, reason: str) -> None:
    for name in ("Downloads", ".local/state/memoire/x", "code/.git/hooks", "Documents/app"):
        (home / name).mkdir(parents=True)
    assert paths.refuse_reason(folder.replace("~", str(home))) == reason


def test_a_personal_folder_under_git_is_not_refused(home: Path) -> None:
    (home / ".config" / ".git").mkdir(parents=True)
    assert paths.refuse_reason(home / ".config") == ""


def test_the_state_folder_is_private_and_made_again_where_it_was_opened(root: Path, home: Path) -> None:
    folder = Path(paths.state_dir(root))
    assert folder.parent == home / ".local" / "state" / "memoire"
    assert folder.name.startswith("proj_one-")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o755)
    assert paths.state_dir(root) == str(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_state_folder_depends_on_no_variable_but_home(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = paths.state_dir(root)
    for name in ("XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TMPDIR"):
        monkeypatch.setenv(name, "/nowhere")
    assert paths.state_dir(root) == before


def test_a_state_folder_that_is_a_link_is_refused(root: Path, tmp_path: Path) -> None:
    folder = Path(paths.state_dir(root))
    folder.rmdir()
    folder.symlink_to(tmp_path)
    with pytest.raises(UnsafeFolderError, match="link or a file"):
        paths.state_dir(root)


@pytest.mark.parametrize("value", [None, "", "relative/home"])
def test_without_a_home_the_user_database_says_where_it_is(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    import pwd

    if value is None:
        monkeypatch.delenv("HOME")
    else:
        monkeypatch.setenv("HOME", value)
    assert paths.home_dir() == os.path.realpath(pwd.getpwuid(os.geteuid()).pw_dir)


def test_a_socket_in_a_deep_home_falls_back_to_a_private_folder_in_tmp(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 90)
    deep.mkdir()
    monkeypatch.setenv("HOME", str(deep))
    path = paths.socket_path(root)
    assert path.startswith(f"/tmp/memoire-{os.geteuid()}/")
    assert len(path) < paths.SOCKET_PATH_BYTES
    assert stat.S_IMODE(Path(path).parent.lstat().st_mode) == 0o700
    assert paths.socket_path(root) == path


def test_a_socket_folder_open_to_others_or_linked_is_refused(tmp_path: Path) -> None:
    wide = tmp_path / "wide"
    wide.mkdir(mode=0o755)
    wide.chmod(0o755)
    with pytest.raises(UnsafeFolderError, match="open to other users"):
        paths._make_private(str(wide), mend=False)
    (tmp_path / "link").symlink_to(wide)
    with pytest.raises(UnsafeFolderError, match="link or a file"):
        paths._make_private(str(tmp_path / "link"), mend=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, 12345)
    with pytest.raises(UnsafeFolderError, match="another user"):
        paths._make_private(str(folder), mend=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take another user's home")
def test_root_with_the_home_of_a_user_keeps_its_state_in_its_own(home: Path) -> None:
    import pwd

    os.chown(home, 12345, 12345)
    assert paths.home_dir() == os.path.realpath(pwd.getpwuid(0).pw_dir)


def test_the_project_id_is_the_directory_name_and_eight_hex_digits(root: Path) -> None:
    name, _, digits = paths.project_id(root).rpartition("_")
    assert name == "proj_one"
    assert len(digits) == 8
    assert int(digits, 16) >= 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('project_id = "kept_0a1b2c3d"\n', "kept_0a1b2c3d"),
        ("# first\n\nproject_id='kept_0a1b2c3d' # why\n[notes]\n", "kept_0a1b2c3d"),
        ('\ufeff"project_id" = "kept_0a1b2c3d"\r\n', "kept_0a1b2c3d"),
        ('[notes]\nproject_id = "not_this"\n', None),
        ('project_id = "../../etc"\n', None),
        ('project_id = "a b"\n', None),
        ("project_id = 7\n", None),
        ("", None),
    ],
)
def test_the_project_id_is_kept_in_the_configuration(root: Path, text: str, found: str | None) -> None:
    derived = paths.project_id(root)
    (root / ".memoire").mkdir()
    (root / ".memoire" / "config.toml").write_bytes(text.encode())
    assert paths.project_id(root) == (found or derived)
    assert paths.is_initialized(root)


def test_the_local_line_names_the_state_folder_and_is_written_once(root: Path) -> None:
    (root / ".memoire").mkdir()
    assert paths.write_local(root)
    assert (root / ".memoire" / "local").read_text() == f"{paths.state_dir(root)}\n"
    assert not paths.write_local(root)
    (root / ".memoire" / "local").unlink()
    assert paths.write_local(root)


def test_the_local_line_is_never_written_through_a_link(root: Path, tmp_path: Path) -> None:
    (root / ".memoire").mkdir()
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (root / ".memoire" / "local").symlink_to(victim)
    assert paths.write_local(root)
    assert victim.read_text() == "precious"
    assert not (root / ".memoire" / "local").is_symlink()


def test_the_git_directories_of_a_worktree_are_its_own_and_the_shared_one(root: Path, tmp_path: Path) -> None:
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "wt")], check=True)
    assert paths.git_dir(root) == str(root / ".git")
    assert paths.git_common_dir(root) == str(root / ".git")
    assert paths.git_dir(tmp_path / "wt") == str(root / ".git" / "worktrees" / "wt")
    assert paths.git_common_dir(tmp_path / "wt") == str(root / ".git")
    assert paths.find_root(tmp_path / "wt") == str(tmp_path / "wt")
    assert paths.git_dir(tmp_path) == paths.git_common_dir(tmp_path) == ""


@pytest.mark.parametrize(
    ("given", "rel"),
    [
        ("a/x.py", "a/x.py"),
        ("a/", "a"),
        ("./a/x.py", "a/x.py"),
        ("a//x.py", "a/x.py"),
        ("a/../a/x.py", "a/x.py"),
        ("{root}/a/x.py", "a/x.py"),
        ("{root}", ""),
        ("{root}/", ""),
        (".", ""),
        ("", ""),
        ("gone/y.py", "gone/y.py"),
        ("loop/loop/a/x.py", "a/x.py"),
        ("alias.py", "a/x.py"),
        ("back\\slash.py", "back\\slash.py"),
        (NFD, NFC),
        (NFC, NFC),
        ("..", None),
        ("../Proj One twin/x.py", None),
        ("{root} twin/x.py", None),
        ("a/../../x", None),
        ("/etc/passwd", None),
        ("out/secret.txt", None),
        ("out.txt", None),
        ("a\0b", None),
        ("\ud800", None),
        ("x" * 5000, None),
    ],
)
def test_a_given_path_becomes_one_relative_path_or_none(
    root: Path, tmp_path: Path, given: str, rel: str | None
) -> None:
    (root / "a").mkdir()
    (root / "a" / "x.py").touch()
    (root / "loop").symlink_to(".")
    (root / "alias.py").symlink_to("a/x.py")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").touch()
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "out.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    assert paths.to_rel(root, given.replace("{root}", str(root))) == rel


def test_an_absolute_path_through_another_spelling_of_the_root_is_inside(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert paths.to_rel(root, f"{tmp_path}/link/a.py") == "a.py"
    assert paths.to_rel(f"{tmp_path}/link/", f"{root}/a.py") == "a.py"


def test_a_name_that_is_not_normalised_on_disk_is_found(root: Path) -> None:
    (root / NFD).mkdir()
    (root / NFD / NFD).touch()
    assert paths.to_disk(root, f"{NFC}/{NFC}") == os.fsencode(root / NFD / NFD)
    assert paths.to_disk(root, f"{NFC}/none\u00e9") == os.fsencode(root / NFD) + "/none\u00e9".encode()
    assert paths.to_disk(root, "") == os.fsencode(root)


def test_paths_work_under_the_c_locale(root: Path) -> None:
    (root / "d\u00e9").mkdir()
    (root / "d\u00e9" / NFD).write_text("x")
    code = (
        "import os, sys; from memoire import paths; root = sys.argv[1];"
        "rel = paths.to_rel(paths.find_root(root), sys.argv[2]); assert sys.getfilesystemencoding() == 'ascii';"
        "data = open(paths.to_disk(paths.find_root(root), rel), 'rb').read();"
        "sys.stdout.buffer.write(rel.encode() + data + paths.project_id(root).encode())"
    )
    environ = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONPATH": str(Path.cwd())}
    done = subprocess.run(
        [sys.executable, "-c", code, str(root / "d\u00e9"), NFC], env=environ, capture_output=True, check=True
    )
    assert done.stdout.decode().startswith(f"{NFC}xd__")


def test_importing_it_loads_nothing_a_hook_would_pay_for() -> None:
    code = "import sys; import memoire.paths; print(*sys.modules)"
    environ = {"PYTHONPATH": str(Path.cwd())}
    done = subprocess.run([sys.executable, "-S", "-c", code], env=environ, capture_output=True, check=True, text=True)
    assert not {"re", "pathlib", "collections", "hashlib", "msgspec", "typing"} & set(done.stdout.split())
