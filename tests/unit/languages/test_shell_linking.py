"""Shell scripts through extraction, linking and relations: what they source, call and run."""

import json
from pathlib import Path

import pytest

from memoire.dispatch import extract
from memoire.model import WRITE
from tests.support import Linked

PROJECT = Path(__file__).parents[2] / "languages" / "projects" / "shell"


def test_scripts_source_exactly_the_files_that_bash_does() -> None:
    files = {path.relative_to(PROJECT).as_posix(): path.read_bytes() for path in PROJECT.rglob("*.sh")}
    truth = json.loads((PROJECT / "truth.json").read_text())
    assert Linked(files).edges("IMPORTS") == {(source, to) for source, targets in truth.items() for to in targets}


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (". ./lib.sh", "scripts/lib.sh"),
        ("source lib.sh", "scripts/lib.sh"),
        ("source scripts/lib.sh", "scripts/lib.sh"),
        ('source "$(dirname "$0")/lib.sh"', "scripts/lib.sh"),
        ('source "$(dirname -- "${BASH_SOURCE[0]}")/../top.sh"', "top.sh"),
        ('source "${BASH_SOURCE%/*}/lib.sh"', "scripts/lib.sh"),
        ('source "${0:A:h}/lib.sh"', "scripts/lib.sh"),
        ("source `dirname $0`/lib.sh", "scripts/lib.sh"),
        ('D=$(cd "$(dirname "$0")/.." && pwd -P)\n. "$D/top.sh"', "top.sh"),
        ('D="$(dirname "$(readlink -f "$0")")"\n. "${D}/lib.sh"', "scripts/lib.sh"),
        ('T=$(git rev-parse --show-toplevel)\n. "$T/top.sh"', "top.sh"),
        ('D="${D:-$(dirname "$0")}"\n. $D/lib.sh', "scripts/lib.sh"),
        ('cd "$(dirname "$0")/.."\n. ./scripts/lib.sh', "scripts/lib.sh"),
        ("(cd /elsewhere)\n. ./top.sh", "top.sh"),
        ('f() {\n  local here=${0%/*}\n  . "$here/lib.sh"\n}', "scripts/lib.sh"),
        ("./scripts/lib.sh", "scripts/lib.sh"),
        ("bash -eu scripts/lib.sh", "scripts/lib.sh"),
        ("sudo -u app env A=1 python3 -u tools/y.py --x", "tools/y.py"),
        ('D=$(dirname "$0")\nexec node "$D/../tools/z.js"', "tools/z.js"),
    ],
)
def test_a_script_names_a_file_as_bash_finds_it(source: str, target: str) -> None:
    files = {"scripts/lib.sh": "", "top.sh": "", "tools/y.py": "", "tools/z.js": "", "scripts/main.sh": source + "\n"}
    assert Linked(files).edges("IMPORTS") == {("scripts/main.sh", target)}


@pytest.mark.parametrize(
    "source",
    [
        'source "$LIB/lib.sh"',
        'D=a\nD=b\nsource "$D/lib.sh"',
        "source /etc/lib.sh",
        "source ~/lib.sh",
        "cd /elsewhere\n. ./lib.sh",
        'cd "$X"\n. ./lib.sh',
        "echo ./lib.sh",
        "# source ./lib.sh",
        "cat <<'E'\nsource ./lib.sh\nE",
        'echo "source ./lib.sh"',
        "source ../../lib.sh",
        "source ./lib.sh.in",
        "bash -c ./lib.sh",
    ],
)
def test_what_names_no_file_of_the_project_for_sure_leads_nowhere(source: str) -> None:
    files = {"lib.sh": "f() { :; }\n", "a/lib.sh": "", "b/lib.sh": "", "main.sh": source + "\n"}
    assert Linked(files).edges("IMPORTS") == set()


def test_functions_and_variables_of_sourced_files_are_passed_on() -> None:
    project = Linked(
        {
            "lib/log.sh": 'LEVEL=1\nlog() { echo "$LEVEL"; }\n',
            "lib/all.sh": '. "$(dirname "$0")/log.sh"\nfetch() { curl x; }\n',
            "main.sh": (
                '. lib/all.sh\nrun() {\n  log "hi"\n  fetch\n  LEVEL=2\n}\nhelper() { local LEVEL=3; echo $LEVEL; }\n'
            ),
        }
    )
    assert project.symbols("CALLS") == {
        ("main.sh::run", "lib/log.sh::log"),
        ("main.sh::run", "lib/all.sh::fetch"),
    }
    uses = {(item.scope, item.path, item.symbol, item.how) for item in project.processor.links("main.sh").references}
    assert ("run", "lib/log.sh", "LEVEL", WRITE) in uses
    assert not any(scope == "helper" for scope, *_ in uses)


def test_a_function_is_called_by_no_script_that_does_not_source_it() -> None:
    project = Linked(
        {
            "a.sh": "build() { :; }\ndeploy() { build; }\n",
            "b.sh": "build\necho build\ndeploy --now\n",
            "c.sh": "build() { :; }\nbuild\n",
        }
    )
    assert project.symbols("CALLS") == {("a.sh::deploy", "a.sh::build"), ("c.sh", "c.sh::build")}


def test_a_function_shadows_the_command_of_its_name_also_from_a_sourced_file() -> None:
    project = Linked({"lib.sh": "curl() { :; }\n", "main.sh": ". ./lib.sh\ncurl x\nsudo curl y\nwget z\n"})
    facts = project.processor.facts("main.sh")
    assert facts is not None
    effects = [(item.line, item.callee) for item in facts.effects if not item.is_void]
    assert effects == [(3, "sudo"), (3, "curl"), (4, "wget")]


def test_a_program_that_no_table_knows_starts_a_process_where_no_script_has_a_function_of_its_name() -> None:
    files = {"lib.sh": "fn-warn() { :; }\nfn-run() { fn-warn; fn-last; mandb-next; }\n", "z.sh": "fn-last() { :; }\n"}
    project = Linked(files)
    facts = project.processor.facts("lib.sh")
    assert facts is not None
    assert [item.callee for item in facts.effects if not item.is_void] == ["mandb-next"]
    assert project.symbols("CALLS") == {("lib.sh::fn-run", "lib.sh::fn-warn")}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("echo x > /dev/null 2>&1", {("ui", "echo")}),
        ("echo x >> log 2> err", {("ui", "echo"), ("file_io", ">>"), ("file_io", ">")}),
        ("sed -n -i.bak s/a/b/ f", {("file_io", "sed -i")}),
        ("sed s/a/b/", set()),
        ("cat", set()),
        ("cat f | grep x", {("file_io", "cat")}),
        ("git status", {("subprocess", "git")}),
        ("git push origin main", {("network", "git push"), ("subprocess", "git")}),
        ("git commit -m x", {("subprocess", "git")}),
        ("docker pull x", {("network", "docker pull"), ("subprocess", "docker")}),
        ("echo $(redis-cli get x)", {("ui", "echo"), ("cache", "redis-cli")}),
        ("pip install -r requirements.txt", {("network", "pip install"), ("subprocess", "pip")}),
        ("xargs -n1 -P 4 rm", {("subprocess", "xargs"), ("file_io", "rm")}),
        ("if ! timeout 5 psql -c x; then :; fi", {("subprocess", "timeout"), ("database", "psql")}),
        ("./gradlew build", {("subprocess", "gradlew")}),
        ("FOO=curl", set()),
        ("x=(curl wget)", set()),
        ("for curl in ssh scp; do :; done", set()),
        ("case curl in ssh) ;; esac", set()),
        ("[[ curl == ssh && -n $x ]]", set()),
        ("echo $((ssh + 1)) ${ssh:-curl} \"it's curl\" 'ssh'", {("ui", "echo")}),
        ("(( curl > ssh ))", set()),
        ("exec 3<>/dev/tcp/host/80", {("network", "/dev/tcp")}),
        ("head -n 5", set()),
        ("exec userdel x", {("subprocess", "userdel")}),
        ('exec gosu app "$@"', {("subprocess", "gosu")}),
        ('eval "$x"', set()),
        ("logrotate-next --force", {("subprocess", "logrotate-next")}),
        ("log_error x", set()),
        ("/usr/sbin/mkhome x", {("subprocess", "mkhome")}),
        ('DB="sqlite3 -batch"; ${DB} x.db', {("database", "sqlite3")}),
        ("PSQL=psql; PSQL=mysql; $PSQL", set()),
        ("aws s3 ls", {("network", "aws s3"), ("subprocess", "aws")}),
        ('[ -f "$x" ]', {("file_io", "test -f")}),
        ("if test ! -d x; then :; fi", {("file_io", "test -d")}),
        ("[[ a -nt b ]]", {("file_io", "test -nt")}),
        ('[ "$1" = -f -o -n "$2" ]', set()),
        ("[[ $1 != -d || -z $2 ]]", set()),
        ("grep -e x -e y", set()),
        ('grep -m 1 x "$f"', {("file_io", "grep")}),
        ("awk -v a=1 '{print}'", set()),
        ("jq --arg a b .x", set()),
        ("sed -e s/a/b/ f", {("file_io", "sed")}),
        ("head -n 5 a.log", {("file_io", "head")}),
        ('echo "a \'$(curl "x")\' $\'"', {("ui", "echo"), ("network", "curl")}),
    ],
)
def test_a_command_does_what_it_is_for(line: str, found: set[tuple[str, str]]) -> None:
    facts = extract("x.sh", line.encode())
    assert {(item.category, item.callee) for item in facts.effects} == found
    assert facts.problems == ()


def test_tests_assert_on_what_they_run() -> None:
    project = Linked(
        {
            "lib/add.sh": "add() { echo $(($1 + $2)); }\n",
            "test/add.bats": (
                'setup() {\n  load ../lib/add.sh\n}\n\n@test "adds" {\n  run add 1 2\n  [ "$output" = 3 ]\n}\n'
            ),
            "test/add_test.sh": '. "$(dirname "$0")/../lib/add.sh"\ntest_adds() {\n  assertEquals 3 "$(add 1 2)"\n}\n',
            "spec/add_spec.sh": (
                "Describe 'add'\n  Include lib/add.sh\n  It 'adds'\n    When call add 1 2\n  End\nEnd\n"
            ),
        }
    )
    assert project.edges("ASSERTS_ON") == {
        ("test/add.bats", "lib/add.sh"),
        ("test/add_test.sh", "lib/add.sh"),
        ("spec/add_spec.sh", "lib/add.sh"),
    }
    assert ("spec/add_spec.sh::adds", "lib/add.sh::add") in project.symbols("CALLS")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only\n",
        "$(" * 300,
        "`" * 999,
        "f() {" * 500,
        '"${a' * 400,
        "case x in (" * 200,
        "<<A <<B\n",
        "\\",
        "${",
        "((" * 999,
    ],
)
def test_broken_source_is_read_to_its_end(text: str) -> None:
    facts = extract("x.sh", (text + "\nlast() { :; }\n").encode())
    assert facts.lines == text.count("\n") + 2
    assert all(item.code in {"syntax", "minified"} for item in facts.problems)
