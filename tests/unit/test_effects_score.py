"""The benchmark of side effects: its labels are whole, and it counts what it says it counts."""

import hashlib
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import effects_sample, effects_score
from memoire.effects import PUBLISHED
from tests.repositories import Repository

FILES = {
    "hit.py": "import requests\n\n\ndef ask():\n    return requests.get('http://localhost')\n",
    "missed.py": "from somewhere import database\n\ndatabase.rows()\n",
    "wrong.py": "print(open('a').read())\n",
    "doubtful.py": "print(open('a').read())\n",
    "shadowed.py": "import httpx\n\nhttpx.get('key')\n",
    "httpx.py": "def get(key):\n    return key\n",
    "strange.unread": "open\n",
}
YES = {
    "hit.py": {"network": [[5, "requests.get"]]},
    "missed.py": {"database": [[3, "somewhere.database.rows"]]},
    "strange.unread": {"file_io": [[1, "open"]]},
}


@pytest.fixture
def labelled(tmp_path: Path, home: Path) -> Path:
    """A folder with the labels of one repository, and that repository."""
    repository = Repository(tmp_path / "work", home)
    commit = repository.commit(FILES)
    (tmp_path / "mirrors" / "owner+name").mkdir(parents=True)
    repository.git("clone", "-q", "--bare", ".", str(tmp_path / "mirrors" / "owner+name" / "repo"))
    rows = []
    for path, text in FILES.items():
        if path == "httpx.py":
            continue
        labels: dict[str, bool | str] = {category: category in YES.get(path, {}) for category in PUBLISHED}
        if path == "doubtful.py":
            labels["file_io"] = "?"
        row = {"repo": "owner/name", "commit": commit, "path": path, "language": "python", "half": "tune"}
        row |= {"sha256": hashlib.sha256(text.encode()).hexdigest(), "stratum": "likely"}
        rows.append(json.dumps({**row, "labels": labels, "evidence": YES.get(path, {})}))
    (tmp_path / "labels.jsonl").write_text("\n".join(rows))
    return tmp_path


def report(folder: Path, *options: str) -> None:
    effects_score.main(["--mirrors", str(folder / "mirrors"), "--labels", str(folder / "labels.jsonl"), *options])


@pytest.mark.parametrize(
    ("options", "counts", "wrong"),
    [
        ([], "1    1    1    21   0.500   0.500   0.500", {"FN missed.py", "FP wrong.py"}),
        (["--alone"], "1    2    1    20   0.333   0.500   0.400", {"FN missed.py", "FP wrong.py", "FP shadowed.py"}),
    ],
)
def test_what_is_extracted_is_counted_against_what_was_read_after_linking_or_without(
    labelled: Path, capsys: pytest.CaptureFixture[str], options: list[str], counts: str, wrong: set[str]
) -> None:
    report(labelled, *options)
    out = capsys.readouterr().out
    assert re.search(rf"^all +micro +{counts}$", out, re.MULTILINE), out
    assert re.search(r"^python +cache +0 +0 +0 +5 +nan +nan +nan$", out, re.MULTILINE), out
    found = re.findall(r"^(F[PN]) tune \w+ +owner/name (\S+):", out, re.MULTILINE)
    assert {f"{kind} {path}" for kind, path in found} == wrong
    assert "missed.py: 3 somewhere.database.rows" in out
    assert "wrong.py: 1 builtins.open" in out
    assert "1 of 1 TP share a line with the evidence" in out
    assert "not read yet, left out: python (1 files)" in out


def test_the_interval_holds_the_value_and_is_the_same_each_time(
    labelled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report(labelled)
    first = capsys.readouterr().out
    found = re.search(r"micro F1 in \[([\d.]+), ([\d.]+)\]", first)
    assert found
    assert float(found[1]) < 0.5 < float(found[2])
    report(labelled)
    assert capsys.readouterr().out == first


def test_another_file_than_the_one_that_was_read_is_refused(labelled: Path) -> None:
    labels = labelled / "labels.jsonl"
    labels.write_text(labels.read_text().replace(hashlib.sha256(FILES["hit.py"].encode()).hexdigest(), "0" * 64))
    with pytest.raises(SystemExit, match=r"hit\.py: not the file that was labelled"):
        report(labelled)


def test_a_repository_that_is_not_there_is_named_with_where_to_get_it(labelled: Path) -> None:
    with pytest.raises(SystemExit, match="github:owner/name"):
        effects_score.main(["--mirrors", str(labelled), "--labels", str(labelled / "labels.jsonl")])


def test_the_labels_judge_every_category_of_each_file_once_and_show_why_they_say_yes() -> None:
    labels = effects_score.read_labels()
    assert len({(item.repo, item.path) for item in labels}) == len(labels)
    halves: dict[str, set[str]] = {}
    for item in labels:
        halves.setdefault(item.repo, set()).add(item.half)
        assert tuple(item.labels) == PUBLISHED
        assert set(item.evidence) == {category for category, label in item.labels.items() if label is True}
        assert all(line > 0 and callee for seen in item.evidence.values() for line, callee in seen)
        assert all(item.evidence.values())
        assert re.fullmatch(r"[0-9a-f]{64}", item.sha256)
        assert re.fullmatch(r"[0-9a-f]{40}", item.commit)
        assert effects_sample.REPOSITORIES[item.repo] == item.language
    assert set(halves) == set(effects_sample.REPOSITORIES)
    assert all(len(half) == 1 for half in halves.values())
    assert min(Counter(item.repo for item in labels).values()) >= 8


def test_the_draw_takes_likely_and_other_files_and_neither_tests_nor_what_is_long_or_short(
    tmp_path: Path, home: Path
) -> None:
    calm, busy = "x = 1\n" * 40, "import os\n" * 40
    files = {f"app/calm{number}.py": calm for number in range(9)} | {
        f"app/busy{number}.py": busy for number in range(9)
    }
    left_out = {"tests/busy.py": busy, "app/short.py": "import os\n", "app/long.py": busy * 9, "app/busy.txt": busy}
    repository = Repository(tmp_path / "work", home)
    commit = repository.commit(files | left_out | {"app/asks.py": "import requests\nrequests.get('x')\n" * 20})
    (tmp_path / "getpelican+pelican").mkdir()
    repository.git("clone", "-q", "--bare", ".", str(tmp_path / "getpelican+pelican" / "repo"))
    rows = list(effects_sample.draw(tmp_path, "getpelican/pelican"))
    assert {row[:3] for row in rows} == {("getpelican/pelican", commit, "python")}
    drawn = [row[4] for row in rows]
    assert len(set(drawn)) == len(drawn)
    assert not left_out.keys() & set(drawn)
    assert "app/asks.py" in drawn
    assert Counter(row[3] for row in rows)["other"] == 3
    assert Counter(row[3] for row in rows)["likely"] == 5
