"""Which paths of a project are left alone: the scan and the watcher ask here, so that they agree.

Three layers, any of which may leave a path out: what git ignores (nested `.gitignore`, `.git/info/exclude`, the user's
global file; a file that git tracks all the same is kept), what the user asks for (`.memoireignore`, `settings.ignore`),
and rules that hold without any file (dependencies, caches, virtual environments, other repositories inside this one).

A directory with a `.git` inside is another project, as `git ls-files` has it: a submodule, a linked worktree, a clone.
None of its files belong to this one, whatever a setting says; it is a project of its own where `memoire init` was run
in it. That holds for a `.git` that leads nowhere too: the copy that a removed worktree leaves behind is still a copy.

Works on bytes: a name on disk need not be text. Source of git's rules: gitignore(5) and git's dir.c.
"""

import os
import stat
import threading
from collections.abc import Collection, Iterable

from memoire import gitrun, paths
from memoire.builtin_ignores import FILES, FOLDERS, MARKERS, is_doubtful, is_foreign, is_generated, is_temporary
from memoire.wildmatch import MAX_BYTES, Rules

_GITIGNORE, _OWN = b".gitignore", b".memoireignore"


class Placed:
    """The rules of one ignore file at its place.

    Attributes:
        rules: What the file says.
        skip: How many bytes of a path relative to the root lead to the file's directory.
        prefix: What leads from the file's directory to the root, where the file lies above it.
    """

    __slots__ = ("prefix", "rules", "skip")

    def __init__(self, rules: Rules, skip: int = 0, prefix: bytes = b"") -> None:
        self.rules = rules
        self.skip = skip
        self.prefix = prefix


class Folder:
    """One directory that a walk may enter, with the rules that hold in it.

    Attributes:
        rel: Its path from the root, with a trailing slash; empty for the root.
        mtime_ns: For a directory that may turn out to be generated: its time when that was last looked at; else 0.
    """

    __slots__ = ("_git", "_ignore", "_only_tracked", "_own", "mtime_ns", "rel")

    def __init__(
        self, ignore: "Ignore", rel: bytes, git: tuple[Placed, ...], own: tuple[Placed, ...], *, only_tracked: bool
    ) -> None:
        self.rel = rel
        self.mtime_ns = 0
        self._ignore = ignore
        self._git = git
        self._own = own
        self._only_tracked = only_tracked

    def skips(self, name: bytes, *, is_dir: bool) -> bool:
        """Return whether the entry of this name is left alone, as far as its name tells."""
        return self._skip(name, is_dir=is_dir) == _SKIP

    def child(self, name: bytes, names: Collection[bytes]) -> "Folder | None":
        """Return the directory of this name inside, None where it is left alone.

        Args:
            name: Of a directory, not a link.
            names: Of the entries inside it.
        """
        verdict = self._skip(name, is_dir=True)
        if verdict == _SKIP:
            return None
        rel = self.rel + name + b"/"
        if is_foreign(names) or is_generated(name, names, self._ignore.disk(rel)):
            return None
        git, own = self._git, self._own
        if _GITIGNORE in names:
            git = (*self._ignore.read(rel + _GITIGNORE, len(rel)), *git)
        if _OWN in names:
            own = (*self._ignore.read(rel + _OWN, len(rel)), *own)
        return Folder(self._ignore, rel, git, own, only_tracked=verdict == _ENTER_TRACKED)

    def _skip(self, name: bytes, *, is_dir: bool) -> int:
        rel = self.rel + name
        if (name in FOLDERS) if is_dir else (name in FILES or is_temporary(name)):
            return _SKIP
        if rel in self._ignore.private or (self._own and _decide(self._own, name, rel, is_dir=is_dir)):
            return _SKIP
        if not self._only_tracked and not _decide(self._git, name, rel, is_dir=is_dir):
            return _ENTER
        if is_dir:
            return _ENTER_TRACKED if rel in self._ignore.tracked_folders else _SKIP
        return _ENTER if rel in self._ignore.tracked else _SKIP


_SKIP, _ENTER, _ENTER_TRACKED = range(3)


class Ignore:
    """The ignore rules of one project. Safe to ask from several threads.

    Args:
        root: The project.
        patterns: `settings.ignore`, as lines of a `.gitignore` in the root.
        tracked: Paths that git tracks although an ignore file names them (`episodes.git.tracked_ignored`).
    """

    def __init__(self, root: paths.AnyPath, patterns: Iterable[str] = (), *, tracked: Iterable[str] = ()) -> None:
        self.root = os.fsencode(paths.real(root))
        self._patterns = "\n".join(patterns).encode("utf-8", "surrogateescape")
        self._lock = threading.RLock()
        self.tracked: frozenset[bytes] = frozenset()
        self.tracked_folders: frozenset[bytes] = frozenset()
        self._folders: dict[bytes, Folder | None] = {}
        self.private = self._private_folders()
        self._set_tracked(tracked)
        self.reload()

    def is_ignored(self, path: str, *, is_dir: bool = False) -> bool:
        """Return whether a path relative to the root is left alone, by itself or with a directory above it."""
        rel = path.encode("utf-8", "surrogateescape")
        parent, _, name = rel.rpartition(b"/")
        if not name:
            return False
        with self._lock:
            folder = self._folder(parent + b"/" if parent else b"")
            if folder is None:
                return True
            if is_dir:
                return self._folder(rel + b"/") is None
            return folder.skips(name, is_dir=False)

    def invalidate(self, path: str) -> str | None:
        """Take note that a path appeared, changed or vanished; to be told before `is_ignored` is asked about it.

        Returns:
            The directory (no trailing slash, empty for the root) whose content may have become ignored, or may no
            longer be: it is to be scanned again. None for an ordinary path.
        """
        rel = path.encode("utf-8", "surrogateescape")
        parent, _, name = rel.rpartition(b"/")
        if name not in MARKERS:
            return None
        if name == b".git" and not parent:
            self.reload()
            return ""
        with self._lock:
            self._forget(parent + b"/" if parent else b"")
        return parent.decode("utf-8", "surrogateescape")

    def forget(self, path: str) -> None:
        """Forget what is known of a directory and all below it: it vanished, moved or was made again."""
        with self._lock:
            self._forget(path.encode("utf-8", "surrogateescape") + b"/")

    def set_tracked(self, tracked: Iterable[str]) -> bool:
        """Take in anew what git tracks although it is ignored; return whether that differs from before."""
        with self._lock:
            before = self.tracked
            self._set_tracked(tracked)
            if before == self.tracked:
                return False
            self._folders = {b"": self._folders[b""]}
            return True

    def has_changed_outside(self) -> bool:
        """Return whether an ignore file outside the tree changed (the user's, `.git/info/exclude`), and take it in.

        Or one of git's own settings, which say where the user's lies.
        """
        with self._lock:
            if [_stamp(file) for file in self._decisive] == self._stamps:
                return False
            self.reload()
            return True

    def outside_files(self) -> dict[bytes, frozenset[bytes]]:
        """Return what decides from outside the tree: folder -> names in it whose coming, changing or going may matter.

        Ignore files and the folders of those that may yet come, git's settings of the repository, and its index, which
        says what is tracked.
        """
        with self._lock:
            files = [file for file, _ in self._outside]
            if self._top:
                own, common = self._git_folders()
                files += [os.path.join(own, name) for name in (b"index", b"config.worktree")]
                files += [os.path.join(common, name) for name in (b"config", b"info")]
        found: dict[bytes, set[bytes]] = {}
        for file in files:
            found.setdefault(os.path.dirname(file), set()).add(os.path.basename(file))
        return {folder: frozenset(names) for folder, names in found.items()}

    def index_lock(self) -> bytes:
        """Return the file that is there while git changes the work tree; empty where there is no repository.

        Source: git's Documentation/technical/api-lockfile, `index.lock`.
        """
        with self._lock:
            return os.path.join(self._git_folders()[0], b"index.lock") if self._top else b""

    def is_left_by_content(self, path: str) -> bool:
        """Return whether a directory is left alone for what is inside: that may change, and then it is entered."""
        rel = path.encode("utf-8", "surrogateescape")
        parent, _, name = rel.rpartition(b"/")
        with self._lock:
            folder = self._folder(parent + b"/" if parent else b"")
            return folder is not None and not folder.skips(name, is_dir=True) and self._folder(rel + b"/") is None

    def reload(self) -> None:
        """Read every ignore file again."""
        with self._lock:
            self._top = self._git_top()
            excludes, self._ignore_case = _git_settings(os.fsdecode(self._top or self.root), has_git=bool(self._top))
            self._outside = self._outside_files(excludes)
            self._decisive = [*(file for file, _ in self._outside), *self._settings_files()]
            self._stamps = [_stamp(file) for file in self._decisive]
            git = [
                Placed(rules, prefix=prefix)
                for file, prefix in self._outside
                if (rules := self._rules(_read(file, in_tree=file.endswith(_GITIGNORE)), ignore_case=self._ignore_case))
            ]
            own = self._rules(self._patterns)
            root_git = (*self.read(_GITIGNORE, 0), *git)
            # The user's own settings win over the `.memoireignore` that comes with the project.
            root_own = (*((Placed(own),) if own else ()), *self.read(_OWN, 0))
            self._folders = {b"": Folder(self, b"", root_git, root_own, only_tracked=False)}

    def top(self) -> Folder:
        """Return the root, to walk down from."""
        with self._lock:
            folder = self._folders[b""]
            assert folder is not None
            return folder

    def folder(self, path: str) -> Folder | None:
        """Return one directory, None where it or one above is left alone."""
        with self._lock:
            return self._folder(path.encode("utf-8", "surrogateescape") + b"/" if path else b"")

    def remember(self, folder: Folder) -> None:
        """Keep a directory that a walk entered, so that `is_ignored` need not look again."""
        with self._lock:
            if is_doubtful(folder.rel):
                folder.mtime_ns = _mtime_ns(self.disk(folder.rel))
            self._folders[folder.rel] = folder

    def disk(self, rel: bytes) -> bytes:
        """Return the path on disk of one relative to the root."""
        return os.path.join(self.root, rel)

    def read(self, rel: bytes, skip: int) -> tuple[Placed, ...]:
        """Return the rules of an ignore file of the project; nothing for an empty file, or one that is no file."""
        rules = self._rules(_read(self.disk(rel), in_tree=True), ignore_case=self._ignore_case)
        return (Placed(rules, skip),) if rules else ()

    def _rules(self, data: bytes, *, ignore_case: bool = False) -> Rules:
        return Rules(data, ignore_case=ignore_case)

    def _folder(self, rel: bytes) -> Folder | None:
        found = self._folders.get(rel)
        if found is not None and not (found.mtime_ns and _mtime_ns(self.disk(rel)) != found.mtime_ns):
            return found
        if found is None and rel in self._folders:
            return None
        parent_rel, _, name = rel[:-1].rpartition(b"/")
        parent = self._folder(parent_rel + b"/" if parent_rel else b"")
        if parent is None:
            return None  # not kept: nobody asks twice, and a package folder has many
        made = None if parent.skips(name, is_dir=True) else parent.child(name, _names(self.disk(rel)))
        if made is None:
            self._forget(rel)
            self._folders[rel] = None
        else:
            self.remember(made)
        return made

    def _forget(self, rel: bytes) -> None:
        if not rel:
            self.reload()
            return
        for known in [known for known in self._folders if known.startswith(rel)]:
            del self._folders[known]

    def _set_tracked(self, tracked: Iterable[str]) -> None:
        files = frozenset(path.encode("utf-8", "surrogateescape") for path in tracked)
        folders = set()
        for file in files:
            parent = file.rpartition(b"/")[0]
            while parent and parent not in folders:
                folders.add(parent)
                parent = parent.rpartition(b"/")[0]
        self.tracked, self.tracked_folders = files, frozenset(folders)

    def _private_folders(self) -> frozenset[bytes]:
        states = os.fsencode(os.path.join(paths.home_dir(), ".local", "state", "memoire"))
        private = set()
        for folder in (states, os.path.realpath(states)):
            if folder.startswith(self.root.rstrip(b"/") + b"/"):
                private.add(folder[len(self.root.rstrip(b"/")) + 1 :])
        return frozenset(private)

    def _git_top(self) -> bytes:
        """Return the top of the work tree that the root lies in, empty where there is none."""
        folder = self.root
        while not os.path.lexists(os.path.join(folder, b".git")):
            parent = os.path.dirname(folder)
            if parent == folder:
                return b""
            folder = parent
        return folder

    def _outside_files(self, excludes: bytes) -> list[tuple[bytes, bytes]]:
        """Return the ignore files outside the tree, strongest first, each with what leads from it to the root."""
        if not self._top:
            return [(excludes, b"")] if excludes else []
        inner = self.root[len(self._top) :].strip(b"/")
        parts = inner.split(b"/") if inner else []
        files = []
        for depth in range(len(parts) - 1, -1, -1):
            above = os.path.join(self._top, *parts[:depth], _GITIGNORE)
            files.append((above, b"/".join(parts[depth:]) + b"/"))
        prefix = inner + b"/" if inner else b""
        _, common = self._git_folders()
        if common:
            files.append((os.path.join(common, b"info", b"exclude"), prefix))
        if excludes:
            files.append((excludes, prefix))
        return files

    def _git_folders(self) -> tuple[bytes, bytes]:
        """Return the git directory of the work tree, and the one that all work trees share; empty where none."""
        top = os.fsdecode(self._top)
        return os.fsencode(paths.git_dir(top)), os.fsencode(paths.git_common_dir(top))

    def _settings_files(self) -> list[bytes]:
        home = os.fsencode(paths.home_dir())
        files = [os.path.join(home, b".gitconfig"), os.path.join(_git_home(), b"config")]
        if self._top:
            own, common = self._git_folders()
            files += [os.path.join(common, b"config"), os.path.join(own, b"config.worktree")]
        return files


def _decide(chain: tuple[Placed, ...], name: bytes, rel: bytes, *, is_dir: bool) -> bool:
    for placed in chain:
        path = placed.prefix + rel if placed.prefix else rel[placed.skip :]
        verdict = placed.rules.decide(name, path, is_dir=is_dir)
        if verdict is not None:
            return verdict
    return False


def _git_settings(folder: str, *, has_git: bool) -> tuple[bytes, bool]:
    """Return the user's global ignore file, and whether git ignores case here."""
    excludes, ignore_case = os.path.join(_git_home(), b"ignore"), False
    scope = [] if has_git else ["--global"]
    found = gitrun.run(folder, "config", *scope, "-z", "--get-regexp", r"^core\.(excludesfile|ignorecase)$")
    for entry in (found or b"").split(b"\0"):
        key, _, value = entry.partition(b"\n")
        if key.lower() == b"core.excludesfile":
            excludes = os.path.join(os.fsencode(folder), os.path.expanduser(value)) if value else b""
        elif key:
            ignore_case = value.lower() in {b"", b"true", b"yes", b"on", b"1"}
    return excludes, ignore_case


def _git_home() -> bytes:
    """Return the folder of the user's own settings of git. Source: git-config(1), FILES."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    base = base if base.startswith("/") else os.path.join(paths.home_dir(), ".config")
    return os.fsencode(os.path.join(base, "git"))


def _names(folder: bytes) -> Collection[bytes]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return ()


def _mtime_ns(folder: bytes) -> int:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0


def _stamp(file: bytes) -> tuple[int, int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read(file: bytes, *, in_tree: bool) -> bytes:
    """Return the content of an ignore file; nothing where it is absent or no plain file.

    Inside the tree no link is followed, as git does; the user's own file may be one.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (os.O_NOFOLLOW if in_tree else 0))
    except OSError:
        return b""
    try:
        return os.read(descriptor, MAX_BYTES) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)
