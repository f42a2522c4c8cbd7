"""Say that one file or definition bears on another, with a reason: the edge is kept, under your name, until it is taken
back or one of the two is gone."""  # noqa: D205, D209 - the command's description

from memoire.memory import Memory
from memoire.operations._spec import Operation
from memoire.operations._stating import Params, Stated, state
from memoire.operations._wire import describe


async def run(memory: Memory, params: Params) -> Stated:
    """Take in the statement; return the edge."""
    return await state(memory, params, is_denied=False)


OPERATION = Operation(
    name="link",
    title="State an edge",
    description=describe(__doc__),
    params=Params,
    result=Stated,
    run=run,
    is_tool=False,
    read_only=False,
)
