"""Answers an evaluation over a tree through memoire's public API: one JSON object a line in, one out.

    python -m benchmarks.eval_adapter

| op | answer |
|---|---|
| `open {dir}` | sets the project up, starts its daemon, takes the tree in |
| `sync` | takes in what changed on disk |
| `related {path, k}` | `ranked`: files that change with one, likeliest first |
| `search {query, k}` | `ranked`: files, best first |
| `tests_for {path, k}` | `ranked`: tests of a file, the most telling first |
| `edges {relation}` | `edges`: pairs of paths |
| `effects` | `files`: path -> categories |
| `close` | stops the daemon |

An `error` in an answer says what went wrong; the next question is answered all the same.
"""

import json
import subprocess
import sys
from typing import Any

from memoire.errors import MemoireError
from memoire.sdk import Memoire

_CATEGORIES = {
    "file_io": "filesystem",
    "network": "network",
    "subprocess": "process",
    "database": "database",
    "env": "env",
}
MOST_TOKENS = 20_000
"""Of an answer: so that none is cut."""


class Adapter:
    """One project at a time."""

    def __init__(self) -> None:
        self._project: Memoire | None = None

    @property
    def project(self) -> Memoire:
        assert self._project is not None, "no project is open"
        return self._project

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to one question."""
        return getattr(self, f"do_{question['op']}")(question)  # type: ignore[no-any-return]

    def do_open(self, question: dict[str, Any]) -> dict[str, Any]:
        folder = question["dir"]
        subprocess.run(
            [sys.executable, "-m", "memoire", "init", "--yes", "--root", folder], check=True, capture_output=True
        )
        self._project = Memoire(folder)
        self.project.ingest()
        return {}

    def do_sync(self, question: dict[str, Any]) -> dict[str, Any]:
        del question
        self.project.ingest()
        return {}

    def do_close(self, question: dict[str, Any]) -> dict[str, Any]:
        del question
        self.project.stop()
        return {}

    def do_search(self, question: dict[str, Any]) -> dict[str, Any]:
        found = self.project.search(question["query"], kinds=["file", "document"], limit=min(100, question["k"]))
        return {"ranked": [hit["path"] for hit in found["results"]]}

    def do_edges(self, question: dict[str, Any]) -> dict[str, Any]:
        return {"edges": [pair for pair, relation in self._pairs() if relation == question["relation"]]}

    def do_tests_for(self, question: dict[str, Any]) -> dict[str, Any]:
        found = self.project.call("tests", **{"for": [question["path"]], "limit": question["k"]})
        return {"ranked": [item["path"] for item in found["tests"]]}

    def do_related(self, question: dict[str, Any]) -> dict[str, Any]:
        found = self.project.call("impact", paths=[question["path"]], limit=question["k"], budget=MOST_TOKENS)
        # What a file uses is told apart in the answer; in a commit it changes all the same.
        ranked = [*found["files"], *found.get("upstream", ())]
        ranked.sort(key=lambda item: -item["probability"])
        return {"ranked": [item["path"] for item in ranked][: question["k"]]}

    def do_effects(self, question: dict[str, Any]) -> dict[str, Any]:
        del question
        return {
            "files": {
                record["path"]: sorted(
                    {
                        _CATEGORIES[name]
                        for name in (*record.get("side_effects", ()), *record.get("uses", ()))
                        if name in _CATEGORIES
                    }
                )
                for record in self._records()
                if record["type"] == "node"
            }
        }

    def _pairs(self) -> list[tuple[list[str], str]]:
        return [
            ([record["source"], record["target"]], record["relation"])
            for record in self._records()
            if record["type"] == "edge" and not record["target"].startswith("pkg:")
        ]

    def _records(self) -> list[dict[str, Any]]:
        records: list[dict[str, Any]] = []
        after: str | None = None
        while after != "":
            page = self.project.call("export", after=after)
            records += page["records"]
            after = page.get("next", "")
        return records


def main() -> None:
    """Answer until standard input ends."""
    adapter = Adapter()
    for line in sys.stdin:
        try:
            answer = adapter.answer(json.loads(line))
        except (MemoireError, subprocess.CalledProcessError, KeyError, AttributeError) as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
