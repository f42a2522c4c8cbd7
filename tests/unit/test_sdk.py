import json
from pathlib import Path

import pytest

from memoire import errors, sdk
from memoire.daemon.server import error_body

ERRORS = [
    errors.MemoireError("what"),
    errors.ConfigError("a.toml", "is odd"),
    errors.NotInitializedError("/folder"),
    errors.RefusedRootError("/", "the root of the file system"),
    errors.UnknownPathError("x.py", ["y.py", "z.py"], "it is ignored"),
    errors.UnknownPathError("naïve\udce9.py"),
    errors.InvalidQueryError("?!"),
    errors.InvalidArgumentError("pth", "there is no such argument", ["path"]),
    errors.DaemonUnavailableError("/proj", "it is gone"),
    errors.DaemonRunningError("/proj", 12),
    errors.StoreUnavailableError("db", "locked"),
    errors.StoreDamagedError("db", "short"),
    errors.StoreConflictError("again"),
    errors.SchemaMismatchError(3, 2),
    errors.UnknownOperationError("exapnd", ("expand",)),
    errors.UnknownNoteError("nabc", ["notes/decision/shop/use-one-queue"]),
    errors.MemoryRefusedError("text is empty"),
    errors.MemoryTooLargeError("text is too long"),
    errors.SecretRefusedError("it holds a secret"),
    errors.InjectionRefusedError("it reads like an order"),
    errors.KeyTakenError("another has the key"),
    errors.MemoryConflictError("it says something else"),
    errors.WeakMatchError("it is not like enough"),
    errors.WrongProjectError("it is another project"),
    errors.BadRequestError("too large", 413),
    errors.InternalError("expand"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_of_the_daemon_is_the_same_error_here(error: errors.MemoireError) -> None:
    found = sdk.error_from(json.loads(error_body(error))["error"])
    assert type(found) is type(error)
    assert str(found) == str(error)
    assert vars(found) == vars(error)
    assert (found.code, found.exit_code) == (error.code, error.exit_code)


def test_every_error_can_come_from_the_daemon() -> None:
    covered = {type(error) for error in ERRORS}
    kinds = {
        kind
        for kind in sdk._kinds(errors.MemoireError)
        if kind.__module__ == errors.__name__ and not kind.__subclasses__()
    }
    assert {kind.__name__ for kind in kinds - covered} <= {"UnsafeFolderError"}  # raised before there is a daemon


def test_an_error_of_another_version_keeps_its_message_and_code() -> None:
    for fields in (
        {"code": "new-kind", "message": "It is new.", "exit_code": 5, "details": {"a": 1}},
        {"code": "unknown-path", "message": "It is new.", "exit_code": 5, "details": {"other": 1}},
        {"code": "unknown-path", "message": "It is new.", "exit_code": 5},
    ):
        found = sdk.error_from(fields)
        assert (str(found), found.code, found.exit_code) == ("It is new.", fields["code"], 5)


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'{"result": 1}', b'{"result": [1]}', b'{"error": "x"}', b"\xff"])
def test_an_answer_that_is_none_is_told(body: bytes) -> None:
    with pytest.raises(errors.BadRequestError):
        sdk._result(200, body)


def test_a_folder_without_a_project_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.NotInitializedError):
        sdk.Memoire(tmp_path)
    with pytest.raises(errors.RefusedRootError):
        sdk.Memoire("/")


def test_a_name_that_is_none_is_not_sent(tmp_path: Path) -> None:
    (tmp_path / ".memoire").mkdir()
    (tmp_path / ".memoire" / "config.toml").touch()
    with pytest.raises(errors.UnknownOperationError):
        sdk.Memoire(tmp_path).call("x HTTP/1.1\r\nX: y")
