"""ASSERTS_ON: a test exercises the file whose definitions it uses.

Evidence: a use in the test, resolved through imports, re-exports and the classes of receivers to the defining file.
A file that merely passes a name on is not asserted on, nor are other tests, fixtures and `conftest` files. An import
without a use is no evidence.
"""

from collections.abc import Callable, Iterator

from memoire.linker import Linked, Reference
from memoire.model import CALL, Claim, EdgeKey

_MAX_NAMES = 3


def claims(path: str, linked: Linked, is_test: Callable[[str], bool]) -> Iterator[Claim]:
    """Yield one claim for each file of the project that a test uses definitions of.

    Args:
        path: A file that holds tests.
        linked: Its links.
        is_test: Whether a path belongs to the tests.
    """
    used: dict[str, list[Reference]] = {}
    for reference in linked.references:
        if reference.symbol and reference.path != path and not is_test(reference.path):
            used.setdefault(reference.path, []).append(reference)
    for target, references in used.items():
        # What is called says more than what is named, and what is called more often says it first.
        references.sort(key=lambda item: (not item.how & CALL, -item.count, item.line, item.symbol))
        names = list(dict.fromkeys(item.symbol + ("()" if item.how & CALL else "") for item in references))
        more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
        line = min(item.line for item in references)
        yield Claim(
            EdgeKey(path, "ASSERTS_ON", target),
            f"{path}:{line} uses {', '.join(names[:_MAX_NAMES])}{more} of {target}",
            extracted_from=path,
            is_causal=True,
            cost="high",
            line=line,
        )
