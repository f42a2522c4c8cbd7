import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoire.daemon import log
from memoire.errors import StoreUnavailableError


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    level = logging.getLogger().level
    path = tmp_path / "log" / "daemon.log"
    handlers = log.start_log(path, level=logging.INFO, foreground=True)
    yield path
    log.end_log(handlers)
    logging.getLogger().setLevel(level)


def fail(error: Exception) -> None:
    def read() -> None:
        raise error from KeyError("the body of a note")

    try:
        read()
    except type(error):
        logging.getLogger("memoire.test").exception("request failed what=%s", "expand")


def test_a_failure_is_told_without_what_it_was_about(path: Path) -> None:
    fail(ValueError("password=hunter2"))
    text = path.read_text()
    assert "request failed what=expand" in text
    assert "builtins.ValueError\n" in text
    assert "builtins.KeyError\n" in text
    assert "test_daemon_log.py:" in text
    assert " in read" in text
    assert "hunter2" not in text
    assert "note" not in text
    assert "raise error" not in text


def test_what_memoire_and_the_system_say_is_kept(path: Path) -> None:
    fail(StoreUnavailableError("/state/db", "no space is left"))
    fail(FileNotFoundError(2, "No such file or directory", "/gone"))
    assert "The store at /state/db cannot be opened: no space is left." in path.read_text()
    assert "No such file or directory: '/gone'" in path.read_text()


def test_the_log_is_private_and_in_utc(path: Path) -> None:
    logging.getLogger("memoire.test").info("serving")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.read_text()[10:11] == "T"
    assert path.read_text()[23:].startswith("Z INFO memoire.test serving")


def test_a_name_that_is_no_text_is_written_all_the_same(path: Path) -> None:
    logging.getLogger("memoire.test").info("path=%s", "\udce9.py")
    assert "path=\\udce9.py" in path.read_text()


def test_the_log_keeps_four_megabytes_at_most(path: Path) -> None:
    line = "x" * 10_000
    for _ in range(600):
        logging.getLogger("memoire.test").info(line)
    files = sorted(file.name for file in path.parent.iterdir())
    assert files == ["daemon.log", "daemon.log.1", "daemon.log.2", "daemon.log.3"]
    assert all(file.stat().st_size <= log.MAX_BYTES for file in path.parent.iterdir())
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in path.parent.iterdir())


def test_libraries_do_not_quote_messages(path: Path) -> None:
    logging.getLogger("mcp.server").info("received %s", "the text of a note")
    assert path.read_text() == ""


def test_what_is_printed_by_accident_ends_in_the_log_also_after_a_rotation(tmp_path: Path) -> None:
    path = tmp_path / "daemon.log"
    script = (
        "import logging, os, sys; from pathlib import Path; from memoire.daemon import log\n"
        "(handler,) = log.start_log(Path(sys.argv[1]), level=logging.INFO, foreground=False)\n"
        "os.write(1, b'first\\n')\n"
        "handler.doRollover()\n"
        "os.write(2, b'second\\n')\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
    assert path.read_text() == "second\n"
    assert (tmp_path / "daemon.log.1").read_text() == "first\n"
