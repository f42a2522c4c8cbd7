"""Every exception memoire raises on purpose, drawn as a tree; exit code and HTTP status beside each.

```
MemoireError 1/500 ─┬─ UsageError 2/400 ─┬─ ConfigError
                    │                    ├─ NotInitializedError
                    │                    ├─ UnknownPathError 2/404
                    │                    ├─ InvalidQueryError
                    │                    ├─ InvalidArgumentError
                    │                    ├─ RefusedRootError
                    │                    ├─ UnsafeFolderError
                    │                    ├─ UnknownOperationError 2/404
                    ├─ UnknownNoteError 2/404
                    ├─ MemoryRefusedError ─┬─ MemoryTooLargeError
                    │                      ├─ SecretRefusedError
                    │                      ├─ InjectionRefusedError
                    │                      ├─ KeyTakenError
                    │                      ├─ MemoryConflictError
                    │                      ├─ WeakMatchError
                    │                      └─ WrongProjectError
                    │                    └─ BadRequestError 2/400, 405, 413, 501
                    ├─ InternalError 1/500
                    ├─ DaemonError 3/503 ─┬─ DaemonUnavailableError
                    │                     └─ DaemonRunningError
                    └─ StoreError 4/503 ──┬─ StoreUnavailableError
                                          ├─ StoreDamagedError
                                          ├─ StoreConflictError
                                          └─ SchemaMismatchError
```

`code` is stable: it is the README anchor and the code that tools, HTTP and `--json` carry.
Imports nothing: the hooks and the forwarder pay for every import at every start.
"""


class MemoireError(Exception):
    """Base of all of them: `code`, `exit_code` and `http_status` are class attributes."""

    code = "error"
    exit_code = 1
    http_status = 500

    @property
    def err(self) -> str:
        """The code as the answers of tools spell it: `ERR_UNKNOWN_PATH`."""
        return f"ERR_{self.code.upper().replace('-', '_')}"


class UsageError(MemoireError):
    """The caller asked for something that cannot be done as asked."""

    code = "usage"
    exit_code = 2
    http_status = 400


class ConfigError(UsageError):
    """A configuration file or setting cannot be used."""

    code = "config"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(where, problem)
        self.where = where
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}. Mend the setting, or remove it to use the default."


class NotInitializedError(UsageError):
    """The folder belongs to no memoire project."""

    code = "not-initialized"

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self.folder = folder

    def __str__(self) -> str:
        return f"{self.folder} is not a memoire project. Run `memoire init` in its top folder."


class RefusedRootError(UsageError):
    """The folder is too large or too private to index without being asked twice."""

    code = "refused-root"

    def __init__(self, folder: str, why: str) -> None:
        super().__init__(folder, why)
        self.folder = folder
        self.why = why

    def __str__(self) -> str:
        return f"{self.folder} is {self.why}; memoire does not index it. Go into a project, or add --force."


class UnknownPathError(UsageError):
    """No node of this project has the path."""

    code = "unknown-path"
    http_status = 404

    def __init__(self, path: str, near: list[str] | tuple[str, ...] = (), why: str = "") -> None:
        super().__init__(path)
        self.path = path
        self.near = tuple(near)
        self.why = why

    def __str__(self) -> str:
        text = f"{self.path!r} is no file or directory of this project"
        if self.why:
            text += f" ({self.why})"
        if self.near:
            return f"{text}. Did you mean {', '.join(self.near)}?"
        return f"{text}. Use `search` to find a path."


class InvalidQueryError(UsageError):
    """A search query holds nothing that can be searched for."""

    code = "invalid-query"

    def __init__(self, query: str) -> None:
        super().__init__(query)
        self.query = query

    def __str__(self) -> str:
        return f"{self.query!r} holds no word to search for. Name an identifier, a path or a few words."


class InvalidArgumentError(UsageError):
    """An argument is unknown, missing or of the wrong kind."""

    code = "invalid-argument"

    def __init__(self, argument: str, problem: str, near: list[str] | tuple[str, ...] = ()) -> None:
        super().__init__(argument, problem)
        self.argument = argument
        self.problem = problem
        self.near = tuple(near)

    def __str__(self) -> str:
        hint = f" Did you mean {', '.join(self.near)}?" if self.near else ""
        return f"{self.argument}: {self.problem}.{hint}"


class DaemonError(MemoireError):
    """The background daemon and its caller did not come together."""

    code = "daemon"
    exit_code = 3
    http_status = 503


class DaemonUnavailableError(DaemonError):
    """No daemon answers for the project."""

    code = "daemon-unavailable"

    def __init__(self, root: str, why: str) -> None:
        super().__init__(root, why)
        self.root = root
        self.why = why

    def __str__(self) -> str:
        return f"No memoire daemon answers for {self.root}: {self.why}. See `memoire logs`, then `memoire start`."


class DaemonRunningError(DaemonError):
    """Another daemon already serves the project."""

    code = "daemon-running"

    def __init__(self, root: str, pid: int) -> None:
        super().__init__(root, pid)
        self.root = root
        self.pid = pid

    def __str__(self) -> str:
        return f"A memoire daemon (process {self.pid}) already serves {self.root}. Use `memoire restart` to replace it."


class StoreError(MemoireError):
    """The database did not do what was asked."""

    code = "store"
    exit_code = 4
    http_status = 503


class StoreUnavailableError(StoreError):
    """The database cannot be opened now: locked, no space, no permission. Never a reason to reset it."""

    code = "store-unavailable"

    def __init__(self, where: str, why: str) -> None:
        super().__init__(where, why)
        self.where = where
        self.why = why

    def __str__(self) -> str:
        return (
            f"The store at {self.where} cannot be opened: {self.why}. Nothing was changed; retry once that is mended."
        )


class StoreDamagedError(StoreError):
    """The database is corrupt, or holds less than was acknowledged; it is moved aside and rebuilt."""

    code = "store-damaged"

    def __init__(self, where: str, why: str) -> None:
        super().__init__(where, why)
        self.where = where
        self.why = why

    def __str__(self) -> str:
        return f"The store at {self.where} is damaged: {self.why}. It is rebuilt from the tree and the event log."


class StoreConflictError(StoreError):
    """A transaction conflicted with another one more often than is retried."""

    code = "store-conflict"


class SchemaMismatchError(StoreError):
    """The database was written by a newer memoire."""

    code = "schema-mismatch"

    def __init__(self, found: int, expected: int) -> None:
        super().__init__(found, expected)
        self.found = found
        self.expected = expected

    def __str__(self) -> str:
        return (
            f"The store has schema {self.found}, this memoire knows {self.expected}. "
            "Upgrade memoire (`pip install -U memoire`), or remove the state folder to index again."
        )


class UnsafeFolderError(UsageError):
    """A folder that memoire would trust with its state or configuration is not the user's own."""

    code = "unsafe-folder"

    def __init__(self, folder: str, problem: str) -> None:
        super().__init__(folder, problem)
        self.folder = folder
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.folder} {self.problem}; memoire does not use it. Remove it, or make it a folder of your own."


class UnknownOperationError(UsageError):
    """No operation has the name."""

    code = "unknown-operation"
    http_status = 404

    def __init__(self, name: str, near: tuple[str, ...] = ()) -> None:
        super().__init__(name)
        self.name = name
        self.near = tuple(near)

    def __str__(self) -> str:
        hint = f" Did you mean {', '.join(self.near)}?" if self.near else ""
        return f"There is no operation {self.name!r}.{hint}"


class UnknownNoteError(UsageError):
    """No note has the id, path or key."""

    code = "unknown-note"
    http_status = 404

    def __init__(self, address: str, near: list[str] | tuple[str, ...] = ()) -> None:
        super().__init__(address)
        self.address = address
        self.near = tuple(near)

    def __str__(self) -> str:
        hint = f"Near it: {', '.join(self.near)}." if self.near else "`memory_list` has all."
        return f"No note is called {self.address!r}. {hint}"


class MemoryRefusedError(UsageError):
    """What was to be remembered cannot be; its subclasses say why."""

    code = "invalid-memory"

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return f"{self.why}. Nothing was written."


class MemoryTooLargeError(MemoryRefusedError):
    """A text is longer than a note may be."""

    code = "too-large"


class SecretRefusedError(MemoryRefusedError):
    """A text holds what looks like a secret."""

    code = "secret"


class InjectionRefusedError(MemoryRefusedError):
    """A text reads like an order to an assistant."""

    code = "injection"


class KeyTakenError(MemoryRefusedError):
    """Another statement has the key."""

    code = "key-taken"


class MemoryConflictError(MemoryRefusedError):
    """A note says something else of the same thing, and conflicts are to be refused."""

    code = "write-conflict"


class WeakMatchError(MemoryRefusedError):
    """What the match found is not like enough to be updated."""

    code = "weak-match"


class WrongProjectError(MemoryRefusedError):
    """The project that was named is not the one that is open."""

    code = "wrong-project"


class BadRequestError(UsageError):
    """What came over the daemon's socket is no request that it answers."""

    code = "bad-request"

    def __init__(self, problem: str, http_status: int = 400) -> None:
        super().__init__(problem)
        self.problem = problem
        self.http_status = http_status

    def __str__(self) -> str:
        return f"{self.problem}. Is the client of the same version? `memoire restart` brings them together."


class InternalError(MemoireError):
    """A fault of memoire itself; what it was stays in the log."""

    code = "internal"

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def __str__(self) -> str:
        return f"memoire failed while it answered {self.what}. `memoire logs` says where; please report it."
