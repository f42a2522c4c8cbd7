"""Folds the resolved mentions of one file into one claim for each file that it names."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from posixpath import basename, splitext

from memoire.extract.suffixes import DATA_SUFFIXES, IMAGE_SUFFIXES, PROGRAM_SUFFIXES, suffix_of, word_set
from memoire.model import Claim, EdgeKey, Mention, parse_path
from memoire.relations._spec import RELATIONS

Resolved = Sequence[tuple[Mention, str]]
"""Mentions of one file with the node that each names, as `memoire.mentions.resolve_mentions` gives them."""

_PROGRAM_NAMES = word_set("Makefile Dockerfile Justfile justfile Rakefile Gemfile Jenkinsfile Vagrantfile")
_CONFIDENCE = {"link": 0.95, "path": 0.95, "symbol": 0.9, "command": 0.95, "module": 0.95}
_EXAMPLE_CONFIDENCE = 0.6
"""Of what only an example shows: the page uses it, and may be about something else."""
_MAX_QUOTE = 120
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_LETTERS = re.compile(r"[^A-Za-z0-9]")
_MANY_WORDS = 3
"""Words of a name that nothing else has by chance."""


def is_code(mention: Mention, path: str) -> bool:
    """Return whether a document can be about a file: a program, or data that is linked or named with its folder.

    A bare `pyproject.toml` or `config.yml` on a page is as often the reader's.
    """
    suffix = suffix_of(path)
    if suffix in PROGRAM_SUFFIXES or path.rpartition("/")[2] in _PROGRAM_NAMES:
        return True
    return suffix in DATA_SUFFIXES and mention.kind != "symbol" and "/" in mention.text


def well_named(resolved: Resolved) -> frozenset[str]:
    """Return the files that a page names beyond doubt.

    A design is full of names that it gives to things of its own. One means a file where it is a path, is qualified,
    is the file's own name, consists of many words, or does not stand alone: another definition of the file is named.
    The bare name of a member stands alone even among others like it.
    """
    names: dict[str, set[str]] = defaultdict(set)
    sure = set()
    for mention, node in resolved:
        path, symbol = parse_path(node)
        name = mention.text.removesuffix("()")
        if "." not in symbol or "." in name:
            names[path].add(name)
        words = _WORD.findall(name)
        is_own = len(words) > 1 and "".join(words).lower() == _LETTERS.sub("", splitext(basename(path))[0]).lower()
        if mention.kind != "symbol" or not symbol or "." in name or "::" in name or is_own or len(words) >= _MANY_WORDS:
            sure.add(path)
    return frozenset(sure.union(path for path, named in names.items() if len(named) > 1))


def is_picture(mention: Mention, path: str) -> bool:
    """Return whether a file is a picture or a video: that a page names it is that it shows it."""
    return mention.kind != "symbol" and suffix_of(path) in IMAGE_SUFFIXES


def fold(path: str, relation: str, resolved: Resolved, accepts: Callable[[Mention, str], bool]) -> list[Claim]:
    """Return one claim for each file that a file names, in the order of their first lines.

    Args:
        path: The file that holds the mentions: the source of the edges.
        relation: Name of the relation.
        resolved: Its mentions. Those of directories (`path/`) and of the file itself give no claim.
        accepts: (mention, path of its target) -> whether it supports the relation.
    """
    targets: dict[str, list[tuple[Mention, str]]] = {}
    for mention, node in resolved:
        target = parse_path(node)[0]
        if target != path and not target.endswith("/") and accepts(mention, target):
            targets.setdefault(target, []).append((mention, node))
    return [_claim(path, relation, target, cited) for target, cited in targets.items()]


def _claim(path: str, relation: str, target: str, cited: Resolved) -> Claim:
    """Return the claim that quotes the first mention in prose, or the first example where there is no prose."""
    mention, node = min(cited, key=lambda one: (not one[0].sentence, one[0].line))
    if mention.sentence:
        confidence = max(_CONFIDENCE[each.kind] for each, _ in cited if each.sentence)
        rationale = f'{path}:{mention.line} "{_quote(mention.sentence)}" names {node}'
    else:
        confidence = _EXAMPLE_CONFIDENCE
        rationale = f"{path}:{mention.line} shows {node} in an example"
    more = len({each.line for each, _ in cited}) - 1
    if more:
        rationale += f", as {more} more {'lines do' if more > 1 else 'line does'}"
    return Claim(
        key=EdgeKey(path, relation, target),
        rationale=f"{rationale}.",
        extracted_from=path,
        is_causal=RELATIONS[relation].causal,
        line=mention.line,
        confidence=confidence,
    )


def _quote(sentence: str) -> str:
    return sentence if len(sentence) <= _MAX_QUOTE else sentence[: _MAX_QUOTE - 1].rstrip() + "…"
