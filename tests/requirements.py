"""What the published tools reference promises, one id each, in our own words.

A test that shows a promise kept is decorated with `@covers("id", …)`. `test_requirements.py` fails for an id that no
test covers, and for a test that covers an id that does not exist.
"""

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., object])

REQUIREMENTS = {
    "tools": "The server offers the tools get_context, expand, search and recent_events.",
    "context.fields": "get_context answers with project_id, structure, relationships and recent_events.",
    "context.project-id": "The project id is the name of the directory, an underscore and eight hex digits.",
    "context.structure": "The structure maps each directory, the root being `.`, to its children's full paths; "
    "directories end in a slash.",
    "context.structure-size": "The structure costs about 200 tokens, however large the project is.",
    "context.relationships": "A relationship names source, relation, target, rationale, is_causal, cost, observations.",
    "context.best-first": "The relationships are the best-scored edges, 100 at most.",
    "context.relationship-size": "A relationship costs about 50 tokens, all of them about 5,000.",
    "context.events": "The recent events are the last ten, each with summary, importance and created_at.",
    "time": "Times are UTC, written with a `Z`.",
    "expand.path": "expand takes one path, relative to the root of the project.",
    "expand.file": "A file is answered with path, type, summary, side_effects, writes_state, document, relationships.",
    "expand.summary": "The summary of a file names its language, its path and its side effects.",
    "expand.side-effects": "Side effects are named by their category, such as database.",
    "expand.state": "writes_state lists the names that the file assigns outside itself.",
    "expand.document": "The content of a document comes with the answer; document is null for code.",
    "expand.relationships": "The relationships of a file name source, relation, target and observations.",
    "expand.directory": "A directory is answered with path, type and children, each with name, type and summary.",
    "search.query": "search takes a query of words.",
    "search.everything": "search finds files by their summary, documents by their text, and events.",
    "search.ranked": "What search finds is ordered by relevance, each with its score.",
    "events.limit": "recent_events takes a limit, 20 if it is not given.",
    "events.fields": "An event has summary, importance, entities and created_at.",
    "events.newest-first": "recent_events gives the newest event first.",
    "score.edge": "An edge scores the sum of its two nodes, its causal bonus, its cost bonus and its confidence.",
    "score.node": "A node scores the sum of recency, frequency, centrality and the cost of its side effects.",
    "score.recency": "Recency is e to the minus age in days over seven.",
    "score.frequency": "Frequency is log1p of the number of accesses.",
    "score.centrality": "Centrality is log1p of twice the reachability plus the number of causes.",
    "score.side-effects": "Side effects cost half of log1p of their number.",
    "score.causal": "A causal edge (SPECIFIES, DRIVES, ASSERTS_ON and others) gains 1.0.",
    "score.cost": "An edge of high cost (ASSERTS_ON, and what drives side effects) gains 0.5.",
    "score.confidence": "Confidence is 0.3 times log1p of the observations.",
}
"""Id -> what is promised."""


def covers(*ids: str) -> Callable[[Test], Test]:
    """Mark a test as the one that shows these promises kept.

    Raises:
        KeyError: There is no such promise.
    """
    for requirement in ids:
        REQUIREMENTS[requirement]  # a typing error fails at import

    def mark(test: Test) -> Test:
        return test

    return mark
