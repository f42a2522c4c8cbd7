"""What search makes of the past of files and of what binds them: each feature by a project whose answer is plain."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from memoire.episodes.history import History, HistoryCommit
from memoire.search import Entry, Scope, SearchIndex, Surroundings
from memoire.search.features import activity, cochange, messages, neighbours, places, similar_commits, spoken
from memoire.search.features.past import BULK, Past
from memoire.tokens import index_words

NOON = datetime(2026, 5, 18, 12, tzinfo=UTC)


def past(*commits: tuple[str, str]) -> Past:
    """Return the past of commits, newest first, each (message, paths)."""
    made = [
        HistoryCommit(f"{number:040x}", NOON - timedelta(hours=number), tuple(sorted(paths.split())))
        for number, (_, paths) in enumerate(commits)
    ]
    return Past(made, [message for message, _ in commits])


def named(known: Past, scores: Mapping[int, float]) -> list[str]:
    return [known.paths[one] for one in sorted(scores, key=lambda one: (-scores[one], known.paths[one]))]


class Project:
    """Files in memory, their index, and what surrounds them."""

    def __init__(self, folder: Path) -> None:
        self.index = SearchIndex.open(folder, version="1")
        self.texts: dict[str, str] = {}

    def save(self, **texts: str) -> None:
        """Save files: `a_py` is `a.py`, `src__a_py` is `src/a.py`."""
        named = {name.replace("__", "/").replace("_", "."): text for name, text in texts.items()}
        self.texts |= named
        entries = [
            Entry(
                path=path,
                kind="document" if path.endswith(".md") else "file",
                language="python",
                words=index_words(text),
            )
            for path, text in named.items()
        ]
        self.index.apply(entries, generation=self.index.generation + 1)

    def surround(self, known: Past | None = None, **bound: str) -> None:
        around = {f"{name}.py": set(paths.split()) for name, paths in bound.items()}
        self.index.surround(
            Surroundings(
                known,
                neighbours=lambda path: around.get(path, set()),
                is_present=self.texts.__contains__,
            )
        )

    def found(self, query: str, **scope: object) -> list[str]:
        wanted = Scope(**scope)  # type: ignore[arg-type]
        return [hit.path for hit in self.index.search(query, read=self.texts.get, scope=wanted)]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = Project(tmp_path)
    yield made
    made.index.close()


def test_a_file_is_found_by_the_message_of_a_past_commit_alone(project: Project) -> None:
    project.save(a_py="x = 1", b_py="y = 2")
    assert project.found("heartbeat") == []
    project.surround(past(("Fix the flaky heartbeat", "a.py"), ("Begin", "b.py")))
    assert project.found("heartbeat") == ["a.py"]
    assert project.found("nowhere") == []


def test_the_nearest_commit_says_more_than_many_that_share_one_word(project: Project) -> None:
    project.save(a_py="x = 1", b_py="y = 2")
    many = [(f"Report the lost number {number}", "b.py") for number in range(9)]
    project.surround(past(*many, ("Retry lost uploads after a timeout", "a.py")))
    assert project.found("lost uploads should be retried after the timeout")[0] == "a.py"


def test_what_was_told_of_a_file_that_is_gone_finds_nothing(project: Project) -> None:
    project.save(a_py="x = 1")
    project.surround(past(("Fix the flaky heartbeat", "gone.py"), ("Begin", "a.py")))
    assert project.found("heartbeat") == []


def test_a_commit_that_touched_everything_says_nothing_of_its_files(project: Project) -> None:
    project.save(a_py="x = 1")
    everything = " ".join(["a.py", *(f"f{number}.py" for number in range(BULK))])
    project.surround(past(("Reformat the heartbeat", everything)))
    assert project.found("heartbeat") == []
    project.surround(past(("Reformat the heartbeat", "a.py")))
    assert project.found("heartbeat") == ["a.py"]


def test_a_commit_of_few_files_says_more_of_each(project: Project) -> None:
    known = past(("Heartbeat", "a.py"), ("Heartbeat", "b.py c.py d.py e.py"))
    scores = messages.told(known, ["heartbeat"])
    assert named(known, scores) == ["a.py", "b.py", "c.py", "d.py", "e.py"]
    near = similar_commits.similar(known, ["heartbeat"])
    assert near[known.numbers["a.py"]] == pytest.approx(2 * near[known.numbers["b.py"]])


def test_words_that_all_messages_say_are_not_asked_for_and_tell_little() -> None:
    known = past(*((f"Fix number{number} of the parser", f"f{number}.py") for number in range(100)))
    assert messages.told(known, ["parser"]) == similar_commits.similar(known, ["parser"]) == {}
    assert named(known, messages.told(known, ["parser", "number7"])) == ["f7.py"]
    assert 0 < known.telling("parser") < 0.5 < known.telling("unheard") <= 1
    assert Past().telling("parser") == 1


def test_what_changed_often_and_lately_settles_what_words_do_not(project: Project) -> None:
    project.save(a_py="cache", b_py="cache", c_py="cache")
    assert project.found("cache") == ["a.py", "b.py", "c.py"] or len(project.found("cache")) == 3
    project.surround(past(("x", "c.py"), ("x", "b.py"), ("x", "b.py"), ("x", "a.py")))
    assert project.found("cache") == ["b.py", "c.py", "a.py"]


def test_activity_counts_in_commits_and_fades() -> None:
    known = past(("x", "new.py"), *[("x", "other.py")] * activity.HALF_LIFE, ("x", "old.py"), ("x", "old.py"))
    often, lately = activity.churn(known), activity.recency(known)
    new, old = known.numbers["new.py"], known.numbers["old.py"]
    assert often[new] > often[old] > often[new] / 2
    assert lately[new] == 1 > lately[old] > 0


def test_a_file_that_commits_change_with_the_answer_is_found_behind_it(project: Project) -> None:
    project.save(a_py="class Heartbeat: ...", b_py="y = 2", c_py="z = 3")
    project.surround(past(("one", "a.py b.py"), ("two", "a.py b.py"), ("three", "c.py")))
    assert project.found("heartbeat") == ["a.py", "b.py"]


def test_co_change_is_a_share_of_what_each_file_went_through() -> None:
    known = past(("x", "a.py close.py"), ("x", "a.py busy.py"), *[("x", "busy.py other.py")] * 9)
    totals = cochange.weights(known)
    bound = cochange.together(known, totals, {known.numbers["a.py"]: 1.0})
    assert named(known, bound) == ["close.py", "busy.py"]
    large = past(("x", " ".join(f"f{number}.py" for number in range(cochange.MOST_FILES + 1))))
    assert cochange.together(large, cochange.weights(large), {0: 1.0}) == {}


def test_a_file_that_the_answer_imports_is_found_behind_it(project: Project) -> None:
    project.save(a_py="class Heartbeat: ...", b_py="y = 2", c_py="z = 3")
    project.surround(a="b.py", b="a.py")
    assert project.found("heartbeat") == ["a.py", "b.py"]


def test_what_everything_imports_is_near_to_nothing() -> None:
    around = {"a": {"own", "all"}, "own": {"a"}, "all": {"a", *map(str, range(50))}}
    found = neighbours.bound(lambda path: around.get(path, set()), {"a": 1.0})
    assert found["own"] > 4 * found["all"] > 0
    assert neighbours.bound(lambda path: around.get(path, set()) | set(map(str, range(999))), {"a": 1.0}) == {}


def test_a_folder_is_as_good_as_its_best_files_and_a_partner_as_the_other() -> None:
    scores = {"src/a.py": 3.0, "src/b.py": 3.0, "src/c.py": 0.0, "lib/d.py": 3.0, "tests/test_d.py": 1.0}
    folders = places.folders(scores)
    assert folders["src/c.py"] == 2.0 > folders["lib/d.py"] == 1.0
    assert places.partners(scores) == {"lib/d.py": 1.0, "tests/test_d.py": 3.0}


@pytest.mark.parametrize(
    "path",
    [
        "pool.py", "tests/test_pool.py", "pool_test.go", "pool.test.ts", "pool.spec.ts", "PoolTest.java",
        "spec/pool_spec.rb", "TestPool.cs", "PoolTests.cs", "pool.d.ts",
    ],
)  # fmt: skip
def test_a_test_has_the_stem_of_what_it_tests(path: str) -> None:
    assert places.stem_of(path) == "pool"


@pytest.mark.parametrize("path", ["test.py", "contest.py", ".env", "latest.go", "attestation.rs"])
def test_a_name_that_only_looks_like_a_mark_stays(path: str) -> None:
    assert places.stem_of(path) == path.partition(".")[0] or path.startswith(".")


def test_filters_hold_for_what_the_past_and_the_neighbours_bring(project: Project) -> None:
    project.save(src__a_py="class Heartbeat: ...", src__b_py="x", lib__b_py="x", notes_md="x")
    project.surround(past(("Heartbeat", "src/a.py lib/b.py notes.md"), ("x", "src/a.py src/b.py")))
    assert set(project.found("heartbeat")) == {"src/a.py", "src/b.py", "lib/b.py", "notes.md"}
    assert project.found("heartbeat", prefix="src/") == ["src/a.py", "src/b.py"]
    assert project.found("heartbeat", kinds=frozenset(["document"])) == ["notes.md"]
    assert project.found('"class Heartbeat"') == ["src/a.py"]
    assert project.found("heartbeat", language="go") == []


def test_a_document_that_every_commit_touches_takes_nothing_from_the_files(project: Project) -> None:
    project.save(a_py="x", b_py="y", changes_md="heartbeat " * 50)
    commits = [(f"Heartbeat {number}", "a.py changes.md") for number in range(5)]
    project.surround(past(*commits, ("Begin", "b.py changes.md")))
    with_document = project.index.features("heartbeat")
    assert with_document["a.py"]["told"] == with_document["a.py"]["churn"] == 1.0
    assert max(value for values in with_document.values() for value in values.values()) == 1.0


def test_pages_make_up_the_answer_and_the_same_question_has_the_same_one(project: Project) -> None:
    project.save(**{f"f{number}_py": "cache" if number % 3 else "x" for number in range(30)})
    commits = [(f"Cache {number}", f"f{number}.py f{number + 1}.py") for number in range(29)]
    project.surround(past(*commits), f0="f3.py f6.py", f3="f0.py")
    ask = project.index.search
    whole = [hit.path for hit in ask("cache", read=project.texts.get, limit=30)]
    pages = [hit.path for at in range(0, 30, 7) for hit in ask("cache", read=project.texts.get, limit=7, offset=at)]
    assert whole == pages[:30]
    assert len(set(whole)) == len(whole) > 20
    scores = [hit.score for hit in ask("cache", read=project.texts.get, limit=30)]
    assert all(one >= other for one, other in pairwise(scores))


def test_the_past_replaces_the_one_before(project: Project) -> None:
    project.save(a_py="x = 1")
    project.surround(past(("Heartbeat", "a.py")))
    assert project.found("heartbeat") == ["a.py"]
    project.index.remember(History())
    assert project.found("heartbeat") == []


def test_a_file_that_no_commit_touched_is_found_by_what_its_folder_is_spoken_of(project: Project) -> None:
    project.save(theme__new_py="x = 1", wire__new_py="x = 1", theme__old_py="x = 1", wire__old_py="x = 1")
    known = past(*[("Mend the dark colours", "theme/old.py"), ("Mend the lost packets", "wire/old.py")] * 3)
    project.surround(known)
    assert project.found("dark colours") == ["theme/old.py", "theme/new.py"]
    assert project.found("lost packets") == ["wire/old.py", "wire/new.py"]


def test_parts_of_paths_are_spoken_of_as_much_more_as_commits_touch_them_that_say_the_word() -> None:
    others = [("Tidy", "src/wire/packets.py")] * 8
    known = past(("Mend the colours", "src/theme/a.py"), ("Choose colours", "src/theme/b.py"), *others)
    lifts = spoken.spoken(known, ["colours", "unheard"])
    assert set(lifts) == {"theme"}  # every commit touches `src` and `py`
    assert spoken.heard(lifts, ("src", "theme", "new", "py")) == pytest.approx(lifts["theme"] / 2)
    assert spoken.heard(lifts, ("src", "wire", "py")) == 0.0
    assert spoken.spoken(Past(), ["colours"]) == {}


def test_tests_are_what_is_looked_for_only_where_the_query_says_so(project: Project) -> None:
    project.save(cache_py="cache expiry", tests__cache_py="cache expiry")
    assert project.index.features("test of the cache expiry")["tests/cache.py"]["tests"] == 1.0
    assert "tests" not in project.index.features("test of the cache expiry")["cache.py"]
    assert "tests" not in project.index.features("cache expiry")["tests/cache.py"]
    assert project.found("test of the cache expiry")[0] == "tests/cache.py"
