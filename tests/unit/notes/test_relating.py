"""How two statements stand to each other."""

import random

import pytest

from benchmarks.notes.changelogs import Case, Question
from benchmarks.notes.relations import judged, pairs, words_of
from memoire.notes.relating import relate
from memoire.notes.words import Words

RULES = [
    "The queue takes at most 64 jobs before workers stall.",
    "Payments to the provider are never retried by the client.",
    "Timeouts of the client are given in seconds.",
    "Logs of the workers go to a file in the state folder.",
    "The staging database is refreshed every Monday by a job.",
    "Public functions have docstrings that say what comes back.",
    "Releases are tagged before the packages are built.",
    "The page is rendered on the server and hydrated in the browser.",
    "Uploads are limited to 20 megabytes by the proxy.",
    "Sessions are kept open for 30 minutes after the last request.",
]


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        ("The pool ceiling is 64.", "the pool  ceiling is 64.", "identical"),
        ("Timeouts of the client are seconds.", "Timeouts of the client are milliseconds.", "contradicts"),
        ("Workers write the log of the day.", "Workers read the log of the day.", "contradicts"),
        ("Tests may reach the network here.", "Tests may not reach the network here.", "contradicts"),
        ("Delete the folder of the build first.", "Remove the directory of the build first.", "restates"),
        ("The client retries a failed payment.", "A failed payment is retried by the client.", "restates"),
        ("Call `shop.run()` before you start it.", "Call `shop.stop()` before you start it.", "related"),
        ("Use tabs in Makefiles.", "Deploy on Fridays.", "unrelated"),
    ],
)
def test_a_verdict(one: str, other: str, verdict: str) -> None:
    weight = Words().rarity
    assert relate(one, other, weight).verdict == verdict
    assert relate(other, one, weight).verdict == verdict


def test_each_twin_is_told_from_its_statement_and_no_two_rules_are_taken_for_one() -> None:
    questions = [Question(f"In short: {rule.lower()}", frozenset({place}), "") for place, rule in enumerate(RULES)]
    case = Case("a/b", RULES, questions)
    found = judged([(words_of(RULES).rarity, list(pairs(case)))])
    for kind in ("denial", "number", "variant"):
        assert set(found[kind]) == {"contradicts"}, (kind, found[kind])
    assert set(found["any"]) == {"unrelated"}
    assert set(found["same"]) == {"restates"}
    assert not {"restates", "contradicts"} & set(found["near"])


def test_a_verdict_does_not_depend_on_how_much_is_known() -> None:
    drawing = random.Random(3)
    few, many = Words(), Words()
    for number in range(400):
        many.put(str(number), " ".join(drawing.choices(RULES[number % 10].split(), k=6)))
    for weight in (few.rarity, many.rarity):
        assert (
            relate("Retry a failed payment once.", "A payment that failed is retried once.", weight).verdict
            == "restates"
        )
