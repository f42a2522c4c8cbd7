"""The Python API: a client of the daemon, which is started where it is absent. Standard library only."""

import json
import os
from collections.abc import Iterator
from typing import Any

from memoire import launch, paths
from memoire.errors import (
    BadRequestError,
    DaemonUnavailableError,
    MemoireError,
    NotInitializedError,
    RefusedRootError,
    UnknownOperationError,
)

ANSWER_S = 120.0
"""How long an answer may take: the first one waits until the project is opened."""

INGEST_S = 3600.0
STATUS_S = 20.0
"""How long the state may take: it is known without opening the project, and asked for where nothing answers."""

Result = dict[str, Any]
"""What an operation returned: the JSON object that the tool of the same name answers with."""


class Memoire:
    """One project, as its daemon knows it.

    ```python
    project = Memoire("path/in/the/project")
    project.search("retry payment")["results"]
    ```

    An operation that cannot be done raises the `MemoireError` of the daemon, with the same attributes.
    """

    def __init__(self, folder: str | os.PathLike[str] = ".", *, timeout_s: float = ANSWER_S) -> None:
        """Find the project that the folder belongs to; nothing is started yet.

        Raises:
            NotInitializedError: `memoire init` was not run there.
            RefusedRootError: The folder is too large or too private to be a project.
        """
        self.root = paths.find_root(folder)
        self._timeout_s = timeout_s
        self._is_checked = False
        if why := paths.refuse_reason(self.root):
            raise RefusedRootError(self.root, why)
        if not paths.is_initialized(self.root):
            raise NotInitializedError(self.root)

    def call(self, name: str, **arguments: Any) -> Result:
        """Return what the operation of the name answers; arguments that are None are left out.

        Raises:
            MemoireError: The daemon could not do it, or cannot be reached (`DaemonUnavailableError`).
        """
        if not name.isidentifier():
            raise UnknownOperationError(name)
        given = {key: value for key, value in arguments.items() if value is not None}
        return self._ask("POST", f"/op/{name}", given)

    def get_context(self, *, budget: int | None = None) -> Result:
        """Return the overview of the project: structure, relationships, recent events; at most `budget` tokens."""
        return self.call("get_context", budget=budget)

    def expand(self, path: str, *, budget: int | None = None) -> Result:
        """Return what is known of a file, a directory, or a definition (`path::Class.method`).

        Raises:
            UnknownPathError: No node of the project has the path; its `near` holds those that were probably meant.
        """
        return self.call("expand", path=path, budget=budget)

    def search(self, query: str, **options: Any) -> Result:
        """Return what matches the words best; `options` are those of the tool: `kinds`, `prefix`, `limit` and so on.

        Raises:
            InvalidQueryError: The query holds no word.
        """
        return self.call("search", query=query, **options)

    def recent_events(self, limit: int | None = None, **options: Any) -> Result:
        """Return what happened last, the newest first; `options` are those of the tool."""
        return self.call("recent_events", limit=limit, **options)

    def ingest(self) -> Result:
        """Take the whole tree in again; return what that did. Takes a while in a large project."""
        return self._ask("POST", "/ingest", timeout_s=INGEST_S)

    def status(self) -> Result:
        """Return the state of the daemon and of the project in it. Starts the daemon, as everything but `stop` does."""
        return self._ask("GET", "/status", timeout_s=min(self._timeout_s, STATUS_S))

    def is_running(self) -> bool:
        """Return whether a daemon serves the project now."""
        return launch.is_running(self.root)

    def stop(self) -> bool:
        """Stop the daemon, once its work is done; return whether there was one.

        Raises:
            DaemonUnavailableError: It does not stop.
        """
        self._is_checked = False
        return launch.stop_daemon(self.root)

    def _ask(
        self, method: str, target: str, arguments: Result | None = None, *, timeout_s: float | None = None
    ) -> Result:
        body = b"" if arguments is None else json.dumps(arguments).encode("ascii")
        wait_s = timeout_s or self._timeout_s
        try:
            if not self._is_checked:
                self._replace_older(min(self._timeout_s, wait_s))
            status, _, found = self._exchange(method, target, body, wait_s)
        except OSError as error:
            why = f"it was silent for {wait_s:g} s" if isinstance(error, TimeoutError) else str(error)
            raise DaemonUnavailableError(self.root, why) from error
        return _result(status, found)

    def _exchange(self, method: str, target: str, body: bytes, wait_s: float) -> tuple[int, dict[str, str], bytes]:
        """Return the answer; of the next daemon, if this one ends meanwhile and asking twice does no harm."""
        try:
            return launch.ask(launch.reach_daemon(self.root), method, target, body, timeout_s=wait_s)
        except ConnectionError:
            if not _is_harmless(target):
                raise
            return launch.ask(launch.reach_daemon(self.root), method, target, body, timeout_s=wait_s)

    def _replace_older(self, wait_s: float) -> None:
        """Stop a daemon that was started before memoire was upgraded; the next question starts its successor."""
        _, headers, _ = self._exchange("GET", "/status", b"", wait_s)
        if launch.is_newer(launch.build_id(), headers.get("memoire-build", "")):
            launch.stop_daemon(self.root, is_restart=True)
        self._is_checked = True


def error_from(fields: dict[str, Any]) -> MemoireError:
    """Return the exception that the daemon raised, of the same class and with the same attributes."""
    message, code = str(fields.get("message", "")), fields.get("code")
    kind = next((one for one in _kinds(MemoireError) if one.code == code), None)
    details = fields.get("details")
    if kind is not None and isinstance(details, dict):
        error = kind.__new__(kind, message)
        vars(error).update(
            {name: tuple(value) if isinstance(value, list) else value for name, value in details.items()}
        )
        try:
            if str(error) == message:
                return error
        except (AttributeError, TypeError):
            pass  # of another version, with other attributes
    other = MemoireError(message)
    other.code = str(code)
    other.exit_code = int(fields.get("exit_code", 1))
    return other


def _result(status: int, body: bytes) -> Result:
    try:
        answer = json.loads(body)
    except ValueError as error:
        raise BadRequestError(f"the daemon answered {status} with no JSON") from error
    if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
        raise error_from(answer["error"])
    if not isinstance(answer, dict) or not isinstance(answer.get("result"), dict):
        raise BadRequestError(f"the daemon answered {status} without a result")
    result: Result = answer["result"]
    return result


def _kinds(kind: type[MemoireError]) -> Iterator[type[MemoireError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _kinds(child)


def _is_harmless(target: str) -> bool:
    """Return whether asking twice does no harm: the daemon ended, and may have done already what was asked."""
    if not target.startswith("/op/"):
        return True
    name = target.removeprefix("/op/")
    return any(one["read_only"] for one in launch.baked_operations() if one["name"] == name)
