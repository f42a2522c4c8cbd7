"""What a change reaches: files and tests, with their probabilities and reasons, over small projects with a history."""

import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from memoire.dispatch import extract
from memoire.episodes.history import History, mine
from memoire.graph import Graph
from memoire.identifiers import identifier_hashes
from memoire.impact.model import models
from memoire.impact.ranking import Change, Impact, Impacted
from memoire.model import FileChange
from memoire.processor import Processor

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class World:
    """Files as they are saved one after another, and what memoire makes of them."""

    def __init__(self, files: Mapping[str, str], history: History | None = None) -> None:
        self.graph = Graph()
        self.processor = Processor(self.graph, lambda _path: None)
        self.history = history or History()
        self.save(files)
        self.impact = Impact(
            self.graph,
            records=self.processor.records,
            facts=self.processor.facts,
            links=self.processor.links,
            users=self.processor.users,
            exercise=self.processor.exercise,
            history=lambda: self.history,
        )

    def save(self, files: Mapping[str, str], gone: Sequence[str] = ()) -> None:
        changes = []
        for path, text in files.items():
            data = text.encode()
            facts = msgspec.structs.replace(extract(path, data), identifiers=identifier_hashes(data))
            changes.append(FileChange(path, facts, 0, NOW))
        self.graph.apply(self.processor.plan(changes, gone, now=NOW))

    def ranked(self, path: str, *symbols: str) -> list[Impacted]:
        return self.impact.rank([Change(path, frozenset(symbols))])

    def order(self, path: str, *symbols: str) -> list[str]:
        return [item.path for item in self.ranked(path, *symbols)]


def git(root: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"]
    subprocess.run([*command, *arguments], cwd=root, check=True, capture_output=True)


def commit(root: Path, files: Mapping[str, str], message: str = "work") -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


def past_of(root: Path, *commits: Mapping[str, str]) -> History:
    git(root, "init", "-q")
    for number, files in enumerate(commits):
        commit(root, files, f"work {number}")
    return mine(root)


USER = "from store import load_invoice\n\ndef show():\n    return load_invoice(1)\n"
STORE = "def load_invoice(number):\n    return number\n\ndef save_invoice(number):\n    return number\n"
APART = "def paint(colour):\n    return colour\n"


class TestWithoutHistory:
    def test_who_uses_a_definition_comes_before_who_does_not(self) -> None:
        world = World({"store.py": STORE, "view.py": USER, "apart.py": APART})
        assert world.order("store.py")[0] == "view.py"

    def test_what_a_file_imports_is_not_reached_by_its_change(self) -> None:
        world = World({"a.py": "import b\n\nb.run()\n", "b.py": "def run():\n    return 1\n"})
        (found,) = world.ranked("a.py")
        assert found.path == "b.py"
        assert found.is_upstream
        (user,) = world.ranked("b.py")
        assert not user.is_upstream

    def test_an_importer_that_does_not_use_what_changes_ranks_lower(self) -> None:
        other = USER.replace("load_invoice", "save_invoice")
        files = {"store.py": STORE, "one.py": USER, "two.py": other}
        asked = {"store.py": Change("store.py", frozenset({"load_invoice"}), words=identifier_hashes(b"number"))}
        world = World(files)
        chances = {item.path: item.probability for item in world.impact.rank(list(asked.values()))}
        assert chances["one.py"] > chances["two.py"]

    def test_a_change_of_a_signature_reaches_its_users_more_than_one_of_a_body(self) -> None:
        world = World({"store.py": STORE, "view.py": USER, "apart.py": APART})
        symbols, words = frozenset({"load_invoice"}), identifier_hashes(b"number")
        (body, *_) = world.impact.rank([Change("store.py", symbols, words=words)])
        (header, *_) = world.impact.rank([Change("store.py", symbols, symbols, words)])
        assert body.path == header.path == "view.py"
        assert header.probability > body.probability

    def test_a_rare_identifier_that_two_files_share_binds_them(self) -> None:
        files = {f"m{number}.py": f"def part{number}(value):\n    return value\n" for number in range(8)}
        files["m1.py"] += "# quarantine_threshold\n"
        files["m6.py"] += "LIMIT = 'quarantine_threshold'\n"
        assert World(files).order("m1.py")[0] == "m6.py"

    def test_a_file_that_is_gone_or_generated_is_never_named(self) -> None:
        world = World({"store.py": STORE, "view.py": USER, "store_pb2.py": USER, "old.py": USER})
        world.order("store.py")
        world.save({}, gone=["old.py"])
        assert world.order("store.py") == ["view.py"]

    def test_nothing_is_reached_in_a_project_of_one_file(self) -> None:
        assert World({"store.py": STORE}).ranked("store.py") == []

    def test_a_file_that_is_not_known_reaches_nothing(self) -> None:
        assert World({"store.py": STORE}).ranked("README.md") == []


class TestWithHistory:
    @pytest.fixture
    def history(self, tmp_path: Path) -> History:
        rounds = [
            {"one.py": f"x = {number}\n", "two.py": f"y = {number}\n"}
            if number % 2
            else {"three.py": f"z = {number}\n"}
            for number in range(8)
        ]
        return past_of(tmp_path, *rounds)

    def test_what_changed_together_will_change_together(self, history: History) -> None:
        world = World({"one.py": "x = 1\n", "two.py": "y = 1\n", "three.py": "z = 1\n"}, history)
        first, second = world.ranked("one.py")
        assert (first.path, second.path) == ("two.py", "three.py")
        assert first.probability > 2 * second.probability

    def test_the_reason_names_the_commits(self, history: History) -> None:
        world = World({"one.py": "x = 1\n", "two.py": "y = 1\n"}, history)
        (reason,) = world.impact.reasons(Change("one.py"), ["two.py"])["two.py"]
        assert reason.kind == "history"
        assert "in 4 of its 4 commits" in reason.text
        assert history.commits[0].id[:9] in reason.text

    def test_a_file_keeps_its_past_when_it_is_renamed(self, tmp_path: Path) -> None:
        body = "".join(f"value_{number} = {number}\n" for number in range(20))
        past_of(tmp_path, *({"one.py": f"x = {number}\n", "two.py": body + f"y = {number}\n"} for number in range(4)))
        git(tmp_path, "mv", "two.py", "second.py")
        git(tmp_path, "commit", "-q", "-m", "rename")
        world = World({"one.py": "x = 1\n", "second.py": body, "other.py": "z = 1\n"}, mine(tmp_path))
        assert world.order("one.py")[0] == "second.py"

    def test_an_upstream_file_that_changed_with_it_is_reached(self, tmp_path: Path) -> None:
        history = past_of(tmp_path, *({"a.py": f"import b  # {n}\n", "b.py": f"x = {n}\n"} for n in range(3)))
        (found,) = World({"a.py": "import b\n", "b.py": "x = 2\n"}, history).ranked("a.py")
        assert not found.is_upstream

    def test_a_commit_of_everything_says_nothing(self, tmp_path: Path) -> None:
        everything = {f"m{number}.py": f"x = {number}\n" for number in range(40)}
        world = World(everything, past_of(tmp_path, everything))
        assert not any("changed with" in why.text for why in world.impact.reasons(Change("m1.py"), ["m2.py"])["m2.py"])

    def test_the_answer_does_not_depend_on_the_order_of_saves(self, history: History) -> None:
        files = {"one.py": "x = 1\n", "two.py": "y = 1\n", "three.py": "import one\nz = one.x\n"}
        grown = World({"one.py": "old = 1\n", "four.py": "gone = 1\n"}, history)
        grown.order("one.py")
        for path in ("three.py", "two.py", "one.py"):
            grown.save({path: files[path]})
            grown.order("one.py")
        grown.save({}, gone=["four.py"])
        fresh = World(files, history)
        assert grown.ranked("one.py") == fresh.ranked("one.py")


SHOP = {
    "shop/cart.py": (
        "class Cart:\n    def add(self, item):\n        return item\n\n    def total(self):\n        return 0\n"
    ),
    "shop/__init__.py": "",
    "tests/test_cart.py": "from shop.cart import Cart\n\ndef test_add():\n    assert Cart().add(1)\n",
    "tests/test_sum.py": "from shop.cart import Cart\n\ndef test_total():\n    assert not Cart().total()\n",
    "tests/test_other.py": "def test_nothing():\n    assert True\n",
}


class TestTests:
    def test_the_tests_of_a_file_are_those_that_use_it_the_one_named_after_it_first(self) -> None:
        found = World(SHOP).impact.tests(Change("shop/cart.py"))
        assert [item.path for item in found] == ["tests/test_cart.py", "tests/test_sum.py"]
        assert found[0].is_named
        assert "Cart.add()" in found[0].uses

    def test_a_test_that_may_run_it_by_a_way_that_is_not_proven_comes_after_those_that_do(self) -> None:
        only_named = (
            "from shop.cart import Cart\n\ndef test_kind(item):\n    assert isinstance(item, Cart)\n    item.add(1)\n"
        )
        world = World({**SHOP, "tests/test_kind.py": only_named})
        assert "tests/test_kind.py" not in {
            edge.key.source for edge in world.graph.edges_in("shop/cart.py") if edge.is_causal
        }
        assert [item.path for item in world.impact.tests(Change("shop/cart.py"))][-1] == "tests/test_kind.py"

    def test_the_tests_of_a_method_are_those_that_run_it(self) -> None:
        found = World(SHOP).impact.tests(Change("shop/cart.py", frozenset({"Cart.total"})))
        assert [item.path for item in found] == ["tests/test_sum.py"]


def test_probabilities_fall_with_the_rank_and_lie_between_nothing_and_certainty() -> None:
    files = {f"m{number}.py": f"import m{number + 1}\nvalue{number} = m{number + 1}.x\n" for number in range(30)}
    found = [item.probability for item in World(files).ranked("m3.py")]
    assert found == sorted(found, reverse=True)
    assert all(0.0 < chance < 1.0 for chance in found)


def test_every_set_of_weights_knows_the_features_it_may_use() -> None:
    assert set(models()) == {"warm", "cold", "warm_diff", "cold_diff"}
    assert all(model.weights.any() and any(model.calibration) for model in models().values())
