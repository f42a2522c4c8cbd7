"""Writes blocks as plain text: for pipes, files, and terminals that can do no more."""

from collections.abc import Sequence
from typing import TextIO

from memoire.terminal.blocks import Block, Heading, Table


def show(blocks: Sequence[Block], stream: TextIO) -> None:
    """Write the blocks, columns aligned, nothing cut."""
    for index, block in enumerate(blocks):
        if isinstance(block, Heading):
            stream.write(f"{'' if index == 0 else chr(10)}{block.text}\n")
        elif isinstance(block, Table):
            _show_table(block, stream)
        else:
            stream.writelines(f"{line}\n" for line in block.lines)


def _show_table(block: Table, stream: TextIO) -> None:
    rows = [tuple(column.upper() for column in block.columns), *block.rows] if any(block.columns) else block.rows
    widths = [max((len(row[index]) for row in rows), default=0) for index in range(len(block.columns))]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        stream.write("  ".join(cells).rstrip() + "\n")
