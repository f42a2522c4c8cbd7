"""Say that one file or definition does not bear on another, with a reason: what was stated or learned of that edge
counts no more. An edge that the source itself shows stays, and `why` tells of both."""  # noqa: D205, D209 - the command's description

from memoire.memory import Memory
from memoire.operations._spec import Operation
from memoire.operations._stating import Params, Stated, state
from memoire.operations._wire import describe


async def run(memory: Memory, params: Params) -> Stated:
    """Take in the statement; return what is left of the edge."""
    return await state(memory, params, is_denied=True)


OPERATION = Operation(
    name="unlink",
    title="Deny an edge",
    description=describe(__doc__),
    params=Params,
    result=Stated,
    run=run,
    is_tool=False,
    read_only=False,
)
