"""Says for other files what the variables and attributes of a file hold, where no annotation does."""

from collections.abc import Sequence

from memoire.extract.chains import CALL_MARK, ITEM, SUPER, join
from memoire.extract.docstrings import MAX_DOC
from memoire.extract.scopes import Resolver
from memoire.extract.values import Value
from memoire.model import Definition, Import


def as_text(value: Value | None, imports: Sequence[Import], definitions: Sequence[Definition]) -> str:
    """Return a value as other files read it from a name of the module on; empty where they cannot.

    Args:
        value: What a name stands for.
        imports: Of the file.
        definitions: Of the file.
    """
    if value is None or value.root is None or value.depth > 1 or SUPER in value.links:
        return ""
    head = imports[value.root].alias if value.root >= 0 else definitions[-1 - value.root].name
    links = value.links or ((CALL_MARK,) if value.is_instance else ())
    text = join((head, *links)) if head else join(links)
    text = f"{ITEM}{text}" if value.depth else text
    return text if len(text) <= MAX_DOC else ""


def variable_texts(resolver: Resolver, imports: Sequence[Import], definitions: Sequence[Definition]) -> dict[int, str]:
    """Return variable of the module -> what it holds, of those that do not say it."""
    found = {}
    for index, item in enumerate(definitions):
        if item.kind != "variable" or item.parent >= 0 or item.name not in resolver.module.names:
            continue
        value = resolver.lookup(resolver.module, item.name)
        if value is not None and value.root != -1 - index:
            text = as_text(value, imports, definitions)
            if text and text != item.returns:
                found[index] = text
    return found
