"""What the tests with real assistants share: a small project, memoire on PATH, and what a model was told."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.daemon_places import Place, new_place

CHECKOUT = Path(__file__).parents[2]
BOUND_S = 300.0

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": '"""Holds what is bought."""\n\n\ndef total(prices):\n    return sum(prices)\n',
    "shop/page.py": "from shop.cart import total\n\n\ndef show(prices):\n    return total(prices)\n",
    "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
}


@contextmanager
def project(monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """Make the project in a home of its own, with `memoire` on PATH as this checkout has it."""
    with new_place() as place:
        for name, text in FILES.items():
            path = Path(place.root, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        script = place.top / "bin" / "memoire"
        script.parent.mkdir()
        script.write_text(f'#!/bin/sh\nPYTHONPATH={CHECKOUT} exec {sys.executable} -P -m memoire "$@"\n')
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{script.parent}:{os.environ['PATH']}")
        monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
        yield place


def contexts(text: str) -> list[str]:
    """Return what memoire told the model in a text."""
    return re.findall(r"<memoire-context .*?</memoire-context>", text, re.DOTALL)
