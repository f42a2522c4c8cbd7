"""Writes blocks with colour and folded tables, and progress: for people at a terminal. The only importer of rich."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self, TextIO

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable
from rich.text import Text

from memoire.terminal.blocks import Block, Heading, Table

GAP = 3
"""Blanks between two columns."""


def show(blocks: Sequence[Block], stream: TextIO) -> None:
    """Write the blocks as wide as the terminal is."""
    console = Console(file=stream, highlight=False)
    for index, block in enumerate(blocks):
        if isinstance(block, Heading):
            console.print(Text(f"{'' if index == 0 else chr(10)}{block.text}", style="bold"))
        elif isinstance(block, Table):
            _show_table(block, console)
        else:
            for line in block.lines:
                console.print(Text(line))


def _show_table(block: Table, console: Console) -> None:
    """Write a table; where it is too wide, the last column, the longest by custom, gets lines of its own."""
    widths = [max(cell_len(cell) for cell in column) for column in zip(block.columns, *block.rows, strict=True)]
    if sum(widths) + GAP * (len(widths) - 1) <= console.width or len(widths) == 1:
        grid = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim", show_edge=False)
        grid.show_header = any(block.columns)
        for column in block.columns:
            grid.add_column(column, overflow="fold")
        for row in block.rows:
            grid.add_row(*[Text(cell) for cell in row])
        console.print(grid)
        return
    for row in (block.columns, *block.rows):
        if not any(row):
            continue
        style = "dim" if row is block.columns else ""
        cells = [cell + " " * (width - cell_len(cell)) for cell, width in zip(row[:-1], widths, strict=False)]
        console.print(Text((" " * GAP).join(cells).rstrip(), style=style), overflow="fold")
        if row[-1] and row is not block.columns:
            console.print(Padding(Text(row[-1], style="dim", overflow="fold"), (0, 0, 0, 4)))


class ProgressBar:
    """A bar on standard error that is gone when it is done. Use as a context manager, and call it with the counts."""

    def __init__(self) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task("starting", total=None)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __call__(self, doing: str, done: int, total: int) -> None:
        """Show that `done` of `total` are done; a total of 0 is one not known yet."""
        self._progress.update(self._task, description=doing, completed=done, total=total or None)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()
