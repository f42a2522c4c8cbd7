"""What an operation is: something a caller may ask, declared once.

The MCP tool, the CLI command, the HTTP route, the README table and the forwarder's baked list all derive from it.
"""

import difflib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

from memoire.errors import InvalidArgumentError
from memoire.validation import problem_of

P = TypeVar("P", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)
M = TypeVar("M")


class Operation(msgspec.Struct, Generic[M, P, R], frozen=True):
    """One operation; `operations/<name>.py` defines it as `OPERATION`.

    `params` and `result` are msgspec structs whose fields carry `Annotated[T, msgspec.Meta(description=…)]`;
    results omit what is absent (`omit_defaults=True`, published fields declared required).
    """

    name: str
    """As the tool, command and route are called: `get_context`."""
    title: str
    description: str
    """Under 2 kB: clients cut what is longer."""
    params: type[P]
    result: type[R]
    run: Callable[[M, P], Awaitable[R]]
    command: str = ""
    """The CLI command where it is not the name: `context`. Two words where several share the first: `graph cycles`."""
    is_tool: bool = True
    """Whether it is offered over MCP."""
    read_only: bool = True
    is_destructive: bool = False
    """Whether it takes away what nothing brings back."""
    aliases: Mapping[str, str] = {}
    """Other names that callers give to parameters, and to fields of the objects in them -> ours. Not advertised."""

    def parse(self, arguments: Mapping[str, Any]) -> P:
        """Return the validated parameters.

        Raises:
            InvalidArgumentError: An argument is unknown (the nearest name is given), missing or of the wrong kind.
        """
        known = [field.encode_name for field in msgspec.structs.fields(self.params)]
        aliases = {name: ours for name, ours in self.aliases.items() if name not in known}
        arguments = _renamed(_given(arguments), aliases)
        for name in arguments:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1, cutoff=0.5) or known
                raise InvalidArgumentError(name, f"`{self.name}` has no such argument", near)
        try:
            # strict=False: models write integers and booleans as strings now and then.
            return msgspec.convert(dict(arguments), self.params, strict=False)
        except msgspec.ValidationError as error:
            where, problem = problem_of(error, self.input_schema())
            raise InvalidArgumentError(where or self.name, problem) from error

    def input_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the parameters: one flat object, no references.

        A model pays for every letter of it in every session: what is left out where a default says nothing.
        """
        lean = _lean(_flat_schema(self.params))
        assert isinstance(lean, dict)
        return lean

    def output_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the result."""
        return _flat_schema(self.result)


def _given(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that are not null: what some clients write for what they leave out."""
    return {name: value for name, value in arguments.items() if value is not None}


def _renamed(given: Mapping[str, Any], aliases: Mapping[str, str]) -> dict[str, Any]:
    """Return arguments with other names replaced by ours, where ours is not given too; in lists of objects as well.

    One where ours is several is a list of one: `id` for `ids`.
    """
    found: dict[str, Any] = {}
    for name, value in given.items():
        ours = aliases.get(name, name)
        known = name if ours in given else ours
        if known != name and known == f"{name}s" and isinstance(value, str):
            found[known] = [value]
        elif isinstance(value, list):
            found[known] = [_renamed(_given(item), aliases) if isinstance(item, Mapping) else item for item in value]
        else:
            found[known] = value
    return found


def _lean(schema: Any, *, is_named: bool = False) -> Any:
    """Return a schema without defaults that say nothing, and without the docstrings of the structs inside it."""
    if isinstance(schema, list):
        return [_lean(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if is_named:
        return {name: _lean(item) for name, item in schema.items()}
    is_struct = "properties" in schema
    return {
        key: _lean(value, is_named=key == "properties")
        for key, value in schema.items()
        if not (key in {"default", "required"} and value is not None and not value)
        and not (key == "description" and is_struct)
    }


def _flat_schema(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the schema of a struct with every `$ref` put in place: several clients drop references."""
    (schema,), definitions = msgspec.json.schema_components([struct], ref_template="{name}")
    flat = _inline(schema, definitions)
    assert isinstance(flat, dict)
    return flat


def _inline(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a schema with its references put in place, and without the titles, which are class names."""
    if isinstance(schema, list):
        return [_inline(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inline(definitions[schema["$ref"]], definitions)
    return {
        # Below `properties` every key is a name, `title` among them.
        key: {name: _inline(item, definitions) for name, item in value.items()}
        if key == "properties"
        else _inline(value, definitions)
        for key, value in schema.items()
        if key != "title"
    }
