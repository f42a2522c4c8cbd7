"""Outcomes read out of recorded outputs, and commands that run checks. `outcomes/` says of each file how it came to be."""
# ruff: noqa: E501, RUF001, SIM905 - tables: one case a line

from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.episodes.outcomes import READERS, Outcome, is_check, read_outcome
from memoire.episodes.outcomes._spec import MAX_CHARS, MAX_FAILING, MAX_PASSING
from memoire.episodes.outcomes.commands import plan_of

FOLDER = Path(__file__).parent / "outcomes"


class Run(NamedTuple):
    command: str
    exit_status: int
    output: str


def run_of(name: str) -> Run:
    """Return one recorded run: its first three lines are the command, the exit status and where it is from."""
    head, _, output = (FOLDER / f"{name}.txt").read_bytes().decode().partition("\n---\n")
    command, exit_status, source = head.split("\n")
    assert source.startswith(("# recorded with ", "# written after "))
    return Run(command.removeprefix("# "), int(exit_status.removeprefix("# exit ")), output)


def outcome_of(name: str) -> Outcome | None:
    run = run_of(name)
    return read_outcome(run.command, run.output, run.exit_status)


EXPECTED: dict[str, Outcome] = {
    "bats": Outcome('tap', 'failed', passed=1, failed=1, skipped=1, failing=('t.bats > removes # 1',), passing=('adds',)),
    "bazel": Outcome('bazel', 'failed', passed=1, failed=2, skipped=0, failing=('//shop:late_test', '//shop:cart_test'), passing=('//shop:ok_test',)),
    "cargo-build-short": Outcome('cargo build', 'failed', errors=1, files=('src/lib.rs',)),
    "cargo-build": Outcome('cargo build', 'failed', errors=1, files=('src/lib.rs',)),
    "cargo-clippy": Outcome('cargo build', 'failed', errors=1, files=('src/lib.rs',)),
    "cargo-nextest": Outcome('cargo nextest', 'failed', passed=2, failed=2, skipped=1, failing=('cart::tests::removes', 'end_aborts'), passing=('cart::tests::adds', 'end_to_end')),
    "cargo-ok": Outcome('cargo test', 'passed', passed=1, failed=0, skipped=0, passing=('cart::tests::adds',)),
    "cargo-test-broken": Outcome('cargo build', 'failed', errors=1, files=('src/lib.rs',)),
    "cargo-test-color": Outcome('cargo test', 'failed', passed=2, failed=2, skipped=1, failing=('cart::tests::removes', 'cart::tests::result'), passing=('cart::tests::adds', 'cart::tests::panics')),
    "cargo-test-nff": Outcome('cargo test', 'failed', passed=4, failed=3, skipped=1, failing=('cart::tests::result', 'cart::tests::removes', 'end_fails'), passing=('cart::tests::adds', 'cart::tests::panics', 'end_to_end', 'src/lib.rs - add (line 2)')),
    "cargo-test-q": Outcome('cargo test', 'failed', passed=4, failed=3, skipped=1, failing=('cart::tests::removes', 'cart::tests::result', 'end_fails')),
    "cargo-warn": Outcome('cargo build', 'passed', errors=0),
    "ctest-ok": Outcome('ctest', 'passed', passed=1, failed=0, skipped=0, passing=('cart.adds',)),
    "ctest": Outcome('ctest', 'failed', passed=1, failed=3, skipped=1, failing=('cart', 'late', 'gone'), passing=('cart.adds',)),
    "django": Outcome('unittest', 'failed', passed=2, failed=1, skipped=0, failing=('shop.tests.CartTests.test_remove',)),
    "dotnet-build": Outcome('dotnet', 'failed', errors=1, files=('/project/Cart.cs',)),
    "dotnet-ok": Outcome('dotnet', 'passed', passed=7, failed=0, skipped=1),
    "dotnet": Outcome('dotnet', 'failed', passed=3, failed=2, skipped=1, failing=('Shop.Tests.CartTests.Removes', 'Shop.Tests.CartTests.Table(n: 2)'), passing=('Shop.Tests.CartTests.Adds',)),
    "eslint": Outcome('eslint', 'failed', errors=1, files=('/project/lint/a.js',)),
    "flake8": Outcome('flake8', 'failed', errors=3, files=('pkg/bad.py',)),
    "gcc-color": Outcome('gcc', 'failed', errors=1, files=('app.c',)),
    "gcc": Outcome('gcc', 'failed', errors=1, files=('app.c',)),
    "go-build": Outcome('go build', 'failed', errors=1, files=('bad/bad.go',)),
    "go-json": Outcome('go test', 'failed', passed=4, failed=3, skipped=1, errors=1, failing=('example.com/shop/cart.TestRemove', 'example.com/shop/cart.TestTable/two_words', 'example.com/shop/bad'), passing=('example.com/shop/cart.TestAdd', 'example.com/shop/cart.TestTable/one', 'example.com/shop/ok.TestOne', 'example.com/shop/ok.TestTwo'), files=('bad/bad.go',)),
    "go-none": Outcome('go test', 'passed', failed=0),
    "go-ok-v": Outcome('go test', 'passed', passed=2, failed=0, skipped=0, passing=('example.com/shop/ok.TestOne', 'example.com/shop/ok.TestTwo')),
    "go-ok": Outcome('go test', 'passed', failed=0),
    "go-panic": Outcome('go test', 'failed', failed=1, failing=('example.com/shop/panics.TestPanics',)),
    "go-plain": Outcome('go test', 'failed', failed=4, errors=1, failing=('example.com/shop/cart.TestRemove', 'example.com/shop/cart.TestTable/two_words', 'example.com/shop/panics.TestPanics', 'example.com/shop/bad'), files=('bad/bad.go',)),
    "go-v": Outcome('go test', 'failed', passed=4, failed=2, skipped=1, failing=('example.com/shop/cart.TestRemove', 'example.com/shop/cart.TestTable/two_words'), passing=('example.com/shop/cart.TestAdd', 'example.com/shop/cart.TestTable/one', 'example.com/shop/ok.TestOne', 'example.com/shop/ok.TestTwo')),
    "go-vet": Outcome('go build', 'failed', errors=1, files=('bad/bad.go',)),
    "gotestsum": Outcome('go test', 'failed', passed=3, failed=2, skipped=1, failing=('shop/cart.TestRemove', 'shop/cart.TestTable/two_words')),
    "gradle-compile": Outcome('gradle', 'failed', errors=2, files=('/project/src/main/java/Cart.java', '/project/src/main/kotlin/Shop.kt')),
    "gradle-ok": Outcome('gradle', 'passed'),
    "gradle": Outcome('gradle', 'failed', passed=1, failed=2, skipped=1, failing=('CartTest.removes', 'com.example.TableTest.[2] two'), passing=('CartTest.adds',)),
    "jest-color": Outcome('jest', 'failed', passed=3, failed=3, skipped=2, failing=('jst/cart.test.js > cart > removes', 'jst/cart.test.js > cart > deep > nested > odd name', 'jst/broken.test.js')),
    "jest-none": Outcome('jest', 'failed', passed=0, failed=0),
    "jest-ok": Outcome('jest', 'passed', passed=1, failed=0, skipped=0, passing=('jst/ok.test.js > fine',)),
    "jest-one": Outcome('jest', 'failed', passed=2, failed=2, skipped=2, failing=('jst/cart.test.js > cart > removes', 'jst/cart.test.js > cart > deep > nested > odd name'), passing=('jst/cart.test.js > top level', 'jst/cart.test.js > cart > adds')),
    "jest-verbose": Outcome('jest', 'failed', passed=3, failed=3, skipped=2, failing=('jst/cart.test.js > cart > removes', 'jst/cart.test.js > cart > deep > nested > odd name', 'jst/broken.test.js'), passing=('jst/cart.test.js > top level', 'jst/cart.test.js > cart > adds', 'jst/ok.test.js > fine')),
    "jest": Outcome('jest', 'failed', passed=3, failed=3, skipped=2, failing=('jst/cart.test.js > cart > removes', 'jst/cart.test.js > cart > deep > nested > odd name', 'jst/broken.test.js')),
    "junit-console": Outcome('junit', 'failed', passed=1, failed=1, skipped=1, failing=('com.example.CartTest.removes',)),
    "make-test": Outcome('pytest', 'failed', passed=6, failed=3, skipped=2, failing=('tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove', 'tests/test_cart.py::test_needs')),
    "make": Outcome('gcc', 'failed', errors=1, files=('/project/app.c',)),
    "many-and": Outcome('ruff + pytest', 'failed', passed=6, failed=3, skipped=2, errors=0, failing=('tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove', 'tests/test_cart.py::test_needs')),
    "many-pytest-mypy": Outcome('pytest + mypy', 'failed', passed=2, failed=0, skipped=0, errors=2, files=('pkg/bad.py',)),
    "maven-compile": Outcome('maven', 'failed', errors=2, files=('/project/src/main/java/com/example/Cart.java', '/project/src/main/java/com/example/Shop.java')),
    "maven-cut": Outcome('maven', 'failed', passed=4, failed=2, skipped=0, failing=('CartTest.removes', 'CartTest$Nested.deep')),
    "maven-ok": Outcome('maven', 'passed', passed=2, failed=0, skipped=0),
    "maven-surefire-2": Outcome('maven', 'failed', passed=3, failed=2, skipped=1, failing=('com.example.CartTest.removes', 'com.example.CartTest.explodes')),
    "maven-surefire-3": Outcome('maven', 'failed', passed=1, failed=1, skipped=0, failing=('com.example.CartTest.removes',)),
    "minitest-v": Outcome('minitest', 'failed', passed=1, failed=2, skipped=1, failing=('CartTest#test_error', 'CartTest#test_removes'), passing=('CartTest#test_adds',)),
    "minitest": Outcome('minitest', 'failed', passed=1, failed=2, skipped=1, failing=('CartTest#test_error', 'CartTest#test_removes')),
    "mocha-dot": Outcome('mocha', 'failed', passed=4, failed=3, skipped=1, failing=('moc/cart.js > cart > removes', 'moc/cart.js > cart > deep > nested one', 'moc/cart.js > hooks > "before all" hook: db for "x"')),
    "mocha-ok": Outcome('mocha', 'passed', passed=2, failed=0, skipped=0, passing=('ok > fine', 'ok > fine too')),
    "mocha-spec": Outcome('mocha', 'failed', passed=4, failed=3, skipped=1, failing=('moc/cart.js > cart > removes', 'moc/cart.js > cart > deep > nested one', 'moc/cart.js > hooks > "before all" hook: db for "x"'), passing=('top level', 'cart > adds', 'ok > fine', 'ok > fine too')),
    "mocha-tap": Outcome('tap', 'failed', passed=4, failed=3, skipped=1, failing=('cart removes', 'cart deep nested one', 'hooks "before all" hook: db for "x"'), passing=('top level', 'cart adds', 'ok fine', 'ok fine too')),
    "mypy-ok": Outcome('mypy', 'passed', errors=0),
    "mypy": Outcome('mypy', 'failed', errors=2, files=('pkg/bad.py',)),
    "node-dot": Outcome('node --test', 'failed', failing=('/project/test/cart.test.js > removes', '/project/test/cart.test.js > nested one')),
    "node-ok": Outcome('node --test', 'passed', passed=2, failed=0, skipped=0, passing=('fine', 'fine too')),
    "node-spec": Outcome('node --test', 'failed', passed=4, failed=2, skipped=2, failing=('test/cart.test.js > cart > removes', 'test/cart.test.js > cart > deep > nested one'), passing=('cart > adds', 'top level', 'fine', 'fine too')),
    "node-tap": Outcome('tap', 'failed', passed=4, failed=2, skipped=2, failing=('/project/test/cart.test.js > cart > removes', '/project/test/cart.test.js > cart > deep > nested one'), passing=('cart > adds', 'top level', 'fine', 'fine too')),
    "phpunit-ok": Outcome('phpunit', 'passed', passed=1, failed=0, skipped=0),
    "phpunit-testdox": Outcome('phpunit', 'failed', passed=2, failed=3, skipped=1),
    "phpunit": Outcome('phpunit', 'failed', passed=3, failed=3, skipped=1, failing=('CartTest::testError', 'CartTest::testRemoves', 'CartTest::testTable with data set "two"')),
    "piped-grep": Outcome('pytest', 'failed', failing=('tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove')),
    "piped-tail": Outcome('pytest', 'failed', passed=6, failed=3, skipped=2, failing=('tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove', 'tests/test_cart.py::test_needs')),
    "pylint": Outcome('pylint', 'failed', errors=4, files=('pkg/bad.py',)),
    "pyright": Outcome('pyright', 'failed', errors=2, files=('/project/pkg/bad.py',)),
    "pytest-collect-q": Outcome('pytest', 'failed', passed=0, failed=1, skipped=0, failing=('test_broken.py',)),
    "pytest-collect": Outcome('pytest', 'failed', passed=0, failed=1, skipped=0, failing=('test_broken.py',)),
    "pytest-color": Outcome('pytest', 'failed', passed=6, failed=3, skipped=2, failing=('tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove', 'tests/test_cart.py::test_needs')),
    "pytest-maxfail": Outcome('pytest', 'failed', passed=1, failed=1, skipped=0, failing=('tests/test_cart.py::test_total[2]',)),
    "pytest-none": Outcome('pytest', 'failed', passed=0, failed=0, skipped=0),
    "pytest-nosummary": Outcome('pytest', 'failed', passed=6, failed=3, skipped=2),
    "pytest-notfound": Outcome('pytest', 'failed', passed=0, failed=0, skipped=0),
    "pytest-ok-q": Outcome('pytest', 'passed', passed=2, failed=0, skipped=0),
    "pytest-ok": Outcome('pytest', 'passed', passed=2, failed=0, skipped=0),
    "pytest-plain": Outcome('pytest', 'failed', passed=8, failed=3, skipped=2, failing=('tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove', 'tests/test_cart.py::test_needs')),
    "pytest-q": Outcome('pytest', 'failed', passed=6, failed=3, skipped=2, failing=('tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove', 'tests/test_cart.py::test_needs')),
    "pytest-qq": Outcome('pytest', 'failed', failing=('tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove', 'tests/test_cart.py::test_needs')),
    "pytest-rA": Outcome('pytest', 'failed', passed=6, failed=3, skipped=2, failing=('tests/test_cart.py::test_needs', 'tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove'), passing=('tests/test_cart.py::test_total[1]', 'tests/test_cart.py::test_total[a b]', 'tests/test_cart.py::test_total[x::y]', 'tests/test_cart.py::TestCart::test_add', 'tests/test_cart.py::test_warn')),
    "pytest-rN-line": Outcome('pytest', 'failed', passed=6, failed=3, skipped=2),
    "pytest-subtests-v": Outcome('pytest', 'failed', passed=0, failed=2, skipped=0, failing=('tests/test_subs.py::test_evens',)),
    "pytest-subtests": Outcome('pytest', 'failed', passed=0, failed=2, skipped=0, failing=('tests/test_subs.py::test_evens',)),
    "pytest-tb-line": Outcome('pytest', 'failed', passed=6, failed=3, skipped=2, failing=('tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove', 'tests/test_cart.py::test_needs')),
    "pytest-v": Outcome('pytest', 'failed', passed=6, failed=3, skipped=2, failing=('tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove', 'tests/test_cart.py::test_needs'), passing=('tests/test_cart.py::test_total[1]', 'tests/test_cart.py::test_total[a b]', 'tests/test_cart.py::test_total[x::y]', 'tests/test_cart.py::TestCart::test_add', 'tests/test_cart.py::test_warn')),
    "pytest-xdist-v": Outcome('pytest', 'failed', passed=8, failed=3, skipped=2, failing=('tests/test_cart.py::test_total[2]', 'tests/test_cart.py::TestCart::test_remove', 'tests/test_cart.py::test_needs'), passing=('tests/test_cart.py::test_total[a b]', 'tests/test_cart.py::test_total[x::y]', 'tests/test_cart.py::test_total[1]', 'tests/test_cart.py::TestCart::test_add', 'tests/test_cart.py::test_warn', 'tests/test_ok.py::test_one', 'tests/test_ok.py::test_two')),
    "rspec-broken": Outcome('rspec', 'failed', passed=0, failed=1, skipped=0, failing=('./spec/broken_spec.rb',)),
    "rspec-doc": Outcome('rspec', 'failed', passed=2, failed=2, skipped=1, failing=('./spec/cart_spec.rb:3', './spec/cart_spec.rb[1:4:2]')),
    "rspec-ok": Outcome('rspec', 'passed', passed=1, failed=0, skipped=0),
    "rspec": Outcome('rspec', 'failed', passed=3, failed=2, skipped=1, failing=('./spec/cart_spec.rb:3', './spec/cart_spec.rb[1:4:2]')),
    "ruff-concise": Outcome('ruff', 'failed', errors=2, files=('pkg/bad.py',)),
    "ruff-format": Outcome('ruff', 'failed', errors=4, files=('pkg/bad.py', 'tests/test_cart.py', 'tests/unit_broken.py', 'tests/unit_case.py')),
    "ruff-ok": Outcome('ruff', 'passed', errors=0),
    "ruff": Outcome('ruff', 'failed', errors=2, files=('pkg/bad.py',)),
    "test-unit": Outcome('minitest', 'failed', passed=1, failed=1, skipped=1, failing=('CartTest#test_removes',)),
    "tsc-pretty": Outcome('tsc', 'failed', errors=2, files=('tsp/a.ts',)),
    "tsc": Outcome('tsc', 'failed', errors=2, files=('tsp/a.ts',)),
    "unittest-import": Outcome('unittest', 'failed', passed=0, failed=1, skipped=0, failing=('no_such',)),
    "unittest-none": Outcome('unittest', 'passed', passed=0, failed=0, skipped=0),
    "unittest-ok": Outcome('unittest', 'passed', passed=1, failed=0, skipped=0),
    "unittest-plain": Outcome('unittest', 'failed', passed=2, failed=4, skipped=2, failing=('tests.unit_case.CartTest.test_error', 'tests.unit_case.CartTest.test_remove', 'tests.unit_case.CartTest.test_subs')),
    "unittest-setupclass": Outcome('unittest', 'failed', passed=0, failed=1, skipped=0, failing=('tests.unit_broken.SetUp',)),
    "unittest-v": Outcome('unittest', 'failed', passed=2, failed=4, skipped=2, failing=('tests.unit_case.CartTest.test_error', 'tests.unit_case.CartTest.test_remove', 'tests.unit_case.CartTest.test_subs'), passing=('tests.unit_case.CartTest.test_add', 'tests.unit_case.OkTest.test_ok')),
    "vitest-none": Outcome('vitest', 'failed', passed=0, failed=0),
    "vitest-ok": Outcome('vitest', 'passed', passed=1, failed=0, skipped=0),
    "vitest-verbose": Outcome('vitest', 'failed', passed=3, failed=3, skipped=2, failing=('vit/cart.spec.ts > cart > removes', 'vit/cart.spec.ts > cart > deep > nested › odd name', 'vit/broken.spec.ts'), passing=('vit/cart.spec.ts > cart > adds', 'vit/cart.spec.ts > top level', 'vit/ok.spec.ts > fine')),
    "vitest": Outcome('vitest', 'failed', passed=3, failed=3, skipped=2, failing=('vit/broken.spec.ts', 'vit/cart.spec.ts > cart > removes', 'vit/cart.spec.ts > cart > deep > nested › odd name')),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_output_is_read(name: str) -> None:
    assert outcome_of(name) == EXPECTED[name]


def test_every_recording_has_its_expected_values() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(EXPECTED)
    assert len(EXPECTED) >= 40


def test_every_tool_has_a_recording() -> None:
    read = {tool for outcome in EXPECTED.values() for tool in outcome.tool.split(" + ")}
    assert {reader.tool for reader in READERS} - read == {"make"}  # a frame: what it runs is named instead


@pytest.mark.parametrize("name", EXPECTED)
def test_carriage_returns_change_nothing(name: str) -> None:
    run = run_of(name)
    assert read_outcome(run.command, run.output.replace("\n", "\r\n"), run.exit_status) == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_lines_of_a_log_in_front_change_nothing(name: str) -> None:
    run = run_of(name)
    log = "2026-01-01 INFO 3 jobs FAILED, 2 passed in the queue\nerror budget: 12 failed\n" * 20_000
    assert len(log) > MAX_CHARS
    assert read_outcome(run.command, log + run.output, run.exit_status) == EXPECTED[name]


@pytest.mark.parametrize("name", [name for name, outcome in EXPECTED.items() if outcome.status == "failed"])
def test_a_failed_run_whose_output_is_cut_in_the_middle_is_no_success(name: str) -> None:
    run = run_of(name)
    for at in range(0, len(run.output), max(len(run.output) // 12, 1)):
        cut = run.output[: at // 2] + "\n... [output truncated] ...\n" + run.output[at:]
        outcome = read_outcome(run.command, cut, run.exit_status if "|" not in run.command else None)
        assert outcome is None or outcome.status == "failed" or "|" in run.command


def test_the_end_of_a_cut_pytest_run_still_names_what_fails() -> None:
    run = run_of("pytest-q")
    outcome = read_outcome(run.command, run.output[run.output.index("FAILED tests/test_cart.py::test_total") :], None)
    assert outcome == EXPECTED["pytest-q"]


def test_the_start_of_a_cut_pytest_run_still_names_what_fails() -> None:
    run = run_of("pytest-v")
    outcome = read_outcome(run.command, run.output[: run.output.index("= ERRORS =")], 1)
    assert outcome is not None
    assert (outcome.status, outcome.failing, outcome.passed) == ("failed", EXPECTED["pytest-v"].failing, -1)


def test_without_a_summary_tracebacks_tell_what_failed() -> None:
    run = run_of("pytest-plain")
    outcome = read_outcome(run.command, run.output[: run.output.index("= warnings summary =")], 1)
    assert outcome is not None
    assert sorted(outcome.failing) == sorted(EXPECTED["pytest-plain"].failing)


@pytest.mark.parametrize(
    ("command", "output", "exit_status"),
    [
        ("echo '3 failed'", "3 failed\n", 0),
        ("echo '=== 3 failed in 0.10s ==='", "=== 3 failed in 0.10s ===\n", 1),
        ("cat build.log", "FAILED tests/test_a.py::test_b - x\n=== 1 failed in 0.10s ===\n", 0),
        ("grep -rn 'failed in' logs/", "logs/a:9:=== 1 failed, 2 passed in 0.10s ===\n", 0),
        ("grep pytest README.md", "", 1),
        ("rg FAILED tests", "FAILED tests/test_a.py::test_b\n", 0),
        ("git commit -m 'test: 3 failed'", "", 1),
        ("git log --grep pytest", "1 failed, 3 passed in 0.1s", 0),
        ("tail -100 ci.log", "Tests:       1 failed, 2 total\nTest Suites: 1 failed, 1 total", 0),
        ("python -c 'print(\"1 failed in 0.1s\")'", "1 failed in 0.1s\n", 0),
        ("ls tests", "test_a.py\n", 0),
        ("./deploy.sh", "The upload FAILED, 3 failed\n", 1),
        ("./deploy.sh", "done\n", 0),
        ("npm run start", "ok 1 of 3\n", 1),
        ("pip install pytest", "Successfully installed pytest\n", 0),
        ("npm install jest", "added 1 package", 1),
        ("pytest --version", "pytest 9.2.0\n", 0),
        ("which cargo", "/usr/bin/cargo\n", 0),
        ("", "", 0),
    ],
)
def test_what_runs_no_check_has_no_outcome(command: str, output: str, exit_status: int) -> None:
    assert read_outcome(command, output, exit_status) is None


@pytest.mark.parametrize(
    ("command", "output", "exit_status", "status"),
    [
        ("pytest", "", 0, "passed"),
        ("pytest", "", 1, "failed"),
        ("cd web && npm test", "no idea\n", 1, "failed"),
        ("set -e; make; make test", "", 0, "passed"),
        ("pytest", "", None, None),
        ("pytest", "", 127, None),  # no such program
        ("pytest", "", 124, None),  # out of time
        ("pytest", "", 137, None),  # killed
        ("pytest", "", -9, None),
        ("pytest | tail", "", 0, None),  # the exit status of `tail`
        ("set -o pipefail; pytest | tail", "", 1, "failed"),
        ("pytest || true", "", 0, None),
        ("pytest; echo done", "", 0, None),
        ("pytest && git push", "", 0, "passed"),
        ("pytest && git push", "", 1, None),  # which of the two?
        ("git pull && pytest", "", 1, None),
        ("mypy; pytest", "", 0, None),  # what `mypy` came to is lost
        ("mypy; pytest", "", 1, "failed"),
        ("! pytest", "", 0, None),
        ("pytest &", "", 0, None),
        ("for x in a b; do pytest $x; done", "", 0, None),
        ("pytest > out.txt 2>&1", "", 1, "failed"),
    ],
)
def test_where_the_output_says_nothing_only_its_own_exit_status_speaks(
    command: str, output: str, exit_status: int | None, status: str | None
) -> None:
    outcome = read_outcome(command, output, exit_status)
    assert outcome == (None if status is None else Outcome("", status))


def test_failing_tests_outweigh_the_exit_status_of_what_follows() -> None:
    run = run_of("pytest-q")
    for command in ("pytest -q || true", "pytest -q | cat", "pytest -q; echo done"):
        assert read_outcome(command, run.output, 0) == EXPECTED["pytest-q"]


def test_tests_that_pass_do_not_outweigh_an_exit_status_that_says_otherwise() -> None:
    outcome = read_outcome("pytest --cov", "2 passed in 0.1s\nFAIL Required test coverage of 90% not reached.\n", 1)
    assert outcome == Outcome("pytest", "failed", 2, 0, 0)


def test_a_quoted_summary_before_the_run_is_not_the_run() -> None:
    log = "=== 7 failed, 1 passed in 9.99s ===\nFAILED tests/old.py::test_old - x\n"
    output = log + run_of("pytest-ok").output
    assert read_outcome("cat old.log; pytest tests/test_ok.py", output, 0) == EXPECTED["pytest-ok"]


def test_two_runs_of_one_tool_add_up() -> None:
    output = "2 passed in 0.1s\n1 failed, 3 passed in 0.2s\n"
    outcome = read_outcome("pytest -q a; pytest -q b", output, 1)
    assert outcome is not None
    assert (outcome.passed, outcome.failed) == (5, 1)


def test_a_script_that_may_run_anything_is_read_but_its_exit_status_is_not() -> None:
    assert read_outcome("./deploy.sh", run_of("pytest-q").output, 1) == EXPECTED["pytest-q"]
    assert read_outcome("./deploy.sh", "", 1) is None


def test_no_more_names_are_kept_than_is_said() -> None:
    lines = [f"tests/test_a.py::test_{n} {'FAILED' if n % 2 else 'PASSED'} [ 50%]" for n in range(3 * MAX_PASSING)]
    outcome = read_outcome("pytest -v", "\n".join(lines), 1)
    assert outcome is not None
    assert (len(outcome.failing), len(outcome.passing)) == (MAX_FAILING, MAX_PASSING)


CHECKS = """pytest
pytest -x tests/unit -k 'token or secret'
python -m pytest -q
pytest -v
python3.12 -X dev -m pytest
.venv/bin/python -m unittest discover
/usr/bin/env python -m pytest
PYTHONPATH=. FOO="a b" pytest
cd web && npm test
cd web; yarn jest --ci
sudo -u ci make test
poetry run pytest
uv run pytest -q
uv run --with rich pytest
uvx ruff check .
pipenv run mypy src
hatch run test
pdm run pytest
conda run -n env pytest
coverage run -m pytest
python -m coverage run -m pytest
python manage.py test shop
python tests/test_cart.py
npx jest
npx --yes vitest run
npm t
npm run test:unit -- --watch=false
npm run lint
npm run build --workspace web
npm --prefix web test
yarn test
yarn workspace web lint
pnpm -r test
pnpm --filter web run typecheck
bun test
node --test
node --test --test-reporter=spec test/
deno test
turbo run build --filter=web
./node_modules/.bin/mocha
make
make -j4 test
make -C build check
just test
cargo test --workspace
cargo +nightly t
cargo nextest run
cargo clippy -- -D warnings
cargo build --release
cargo fmt --check
go test ./...
go build ./cmd/app
go vet ./...
gotestsum -- ./...
golangci-lint run
mvn -q test
mvn -pl core -am verify
./mvnw test -Dtest=CartTest
./gradlew :app:test --tests Cart
gradle build
ctest --test-dir build
cmake --build build -j
gcc -c main.c
rspec spec/cart_spec.rb:12
bundle exec rspec
bin/rails test
rake test
dotnet test --no-build
vendor/bin/phpunit --filter Cart
php artisan test
bazel test //...
tox -e py312
nox -s tests
tsc --noEmit
npx tsc -p .
eslint src --fix
ruff check
ruff format --check
black --check .
prettier --check .
pre-commit run --all-files
bats t.bats
bash -c 'cd x && pytest'
bash scripts/run-tests.sh
./run_tests.sh
bash .ci/run
timeout 60 pytest
time -p pytest
nohup pytest > out.log &
docker compose run --rm web pytest -q
docker exec -it app npm test
ssh build 'cd app && make test'
if pytest; then echo ok; fi
(cd web && npm test)
git pull && pytest
pytest 2>&1 | tail -20
FOO=$(date) pytest
cat <<EOF > a.py && pytest
x = 1
EOF
mix test
swift test""".split("\n")
# One command there has three lines.
CHECKS = [*CHECKS[: CHECKS.index("cat <<EOF > a.py && pytest")], "cat <<EOF > a.py && pytest\nx = 1\nEOF", *CHECKS[-2:]]

NO_CHECKS = """ls
cd tests
echo pytest
cat tests/test_a.py
grep -rn pytest .
git commit -m 'run pytest'
git checkout -b test
git diff tests/
vim tests/test_a.py
pip install pytest mypy
npm install jest
npm i -D vitest
npm ci
npm start
npm run dev
npm uninstall eslint
npm publish
yarn add eslint
pnpm remove mocha
apt install make
which pytest
pytest --version
pytest --collect-only -q
cargo --version
cargo run
cargo add serde
cargo fmt
go mod tidy
go run .
go test -list .
mvn clean
make clean
make install
make -n test
ruff format
black .
prettier --write .
node server.js
node -e 'test()'
python app.py
python -c 'import pytest'
python -m http.server
python -m pip install pytest
docker ps
docker build -t app .
kubectl get pods
gradle tasks
cmake -S . -B build
curl https://example.com/test
rm -rf build test
mkdir tests
touch test.py
man make
history | grep pytest
sleep 5 # then pytest
cat <<EOF
pytest
EOF
tsc --version
ssh host uptime
find . -name 'test_*.py'
sed -i s/test/spec/ a
terraform plan""".split("\n")
NO_CHECKS = [
    *NO_CHECKS[: NO_CHECKS.index("cat <<EOF")],
    "cat <<EOF\npytest\nEOF",
    *NO_CHECKS[NO_CHECKS.index("EOF") + 1 :],
]


@pytest.mark.parametrize("command", CHECKS)
def test_a_command_that_checks_is_known(command: str) -> None:
    assert is_check(command)


@pytest.mark.parametrize("command", NO_CHECKS)
def test_a_command_that_does_not_check_is_known(command: str) -> None:
    assert not is_check(command)


PIECES = st.lists(
    st.one_of(
        st.sampled_from([line for name in sorted(EXPECTED) for line in run_of(name).output.splitlines()[:400]]),
        st.text(max_size=30),
    ),
    max_size=60,
).map("\n".join)
COMMANDS = st.lists(
    st.one_of(
        st.sampled_from([*CHECKS, *NO_CHECKS]),
        st.sampled_from([" && ", " || ", "; ", " | ", "'", '"', "$(", ")", "(", "<<A\n", "\\", "\n", "`", "&", "${"]),
        st.text(max_size=10),
    ),
    max_size=8,
).map("".join)


@given(COMMANDS, PIECES, st.none() | st.integers(-300, 300))
def test_any_output_of_any_command_is_taken(command: str, output: str, exit_status: int | None) -> None:
    outcome = read_outcome(command, output, exit_status)
    plan = plan_of(command)
    assert outcome is None or plan.is_check or plan.is_opaque
    if outcome is not None:
        assert outcome.status in {"passed", "failed"}
        assert min(outcome.passed, outcome.failed, outcome.skipped, outcome.errors) >= -1
        assert all(outcome.failing)


@given(PIECES)
def test_every_reader_takes_any_lines(output: str) -> None:
    for reader in READERS:
        for reading in reader.read(output.split("\n")):
            assert reading.status in {"", "passed", "failed"}


@pytest.mark.parametrize(
    "piece",
    ["\n", "x ", "1 failed, ", "= ", "FAILED a.py::b[", "][", "__ ", "test ", "[ERROR] ", "a > ", " at a.js:1:1", "//a:",
     "/a.c:", '{"Action":', "ok 1 # ", "  1) a\n", "\x1b[", "\x1b]", "e: ", " ● ", "PASS ", "error TS", "A#a = ", ". "],
)  # fmt: skip
def test_no_output_takes_long(piece: str) -> None:
    # A megabyte each, in lines of different lengths: what backtracks would not end.
    output = (piece * (3_900 // len(piece)) + "\n") * 200 + piece * (MAX_CHARS // 5 // len(piece))
    for command in ("make test", "pytest"):
        read_outcome(command, output, 1)


@pytest.mark.parametrize(
    "piece", ["docker run ", "sudo ", "bash -c '", "(", '"', "$(", "<<A\n", "a|", "`", "${", "pytest;"]
)
def test_no_command_takes_long(piece: str) -> None:
    is_check(piece * (100_000 // len(piece)))
