import asyncio
import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # its stubs are a package of their own

from memoire import launch
from memoire.daemon import bake
from memoire.languages import FILES, FILES_FILE, LANGUAGES
from memoire.operations import OPERATIONS

BAKED = json.loads(bake.BAKED_FILE.read_text("utf-8"))
TOOLS = BAKED["handshake"]["tools/list"]["result"]["tools"]
INSTRUCTIONS = BAKED["handshake"]["initialize"]["result"]["instructions"]


def test_the_file_is_what_the_real_server_answers() -> None:
    baked = asyncio.run(bake.bake(bake.this_source()))
    assert bake.BAKED_FILE.read_text("utf-8") == bake.render(baked), "run python -m memoire.daemon.bake"


def test_each_language_is_known_by_its_files_without_its_module() -> None:
    assert FILES_FILE.read_text("utf-8") == bake.files_of_languages(), "run python -m memoire.daemon.bake"
    assert [language.name for language in LANGUAGES] == list(FILES)


def test_every_operation_is_in_the_file() -> None:
    described = launch.baked_operations()
    assert [one["name"] for one in described] == [operation.name for operation in OPERATIONS]
    assert [one["name"] for one in described if one["is_tool"]] == [tool["name"] for tool in TOOLS]
    assert all(one["command"] for one in described)


def test_both_eras_list_the_same_tools() -> None:
    assert BAKED["modern"]["tools/list"]["result"]["tools"] == TOOLS


def test_what_the_model_reads_of_the_four_tools_is_at_most_a_thousand_tokens() -> None:
    """An output schema is for the client's checks and is not shown to the model."""
    four = [tool for tool in TOOLS if tool["name"] in {"get_context", "expand", "search", "recent_events"}]
    shown = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in four]
    text = INSTRUCTIONS + json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    assert len(four) == 4
    assert len(text) / 4 <= 1000


def test_no_description_is_longer_than_a_client_shows() -> None:
    assert len(INSTRUCTIONS.encode()) < 2000
    assert {tool["name"]: len(tool["description"].encode()) for tool in TOOLS if len(tool["description"]) >= 2000} == {}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool["name"]))
@pytest.mark.shows("T6")
def test_a_tool_is_described_as_every_client_can_take_it(tool: dict[str, Any]) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,40}", tool["name"])
    assert tool["title"]
    for schema in (tool["inputSchema"], tool["outputSchema"]):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert not {"anyOf", "oneOf", "allOf"} & set(schema)
        assert "$ref" not in json.dumps(schema)
    assert tool["inputSchema"]["additionalProperties"] is False
    operation = next(one for one in OPERATIONS if one.name == tool["name"])
    assert tool["annotations"] == {
        "readOnlyHint": operation.read_only,
        "destructiveHint": tool["name"] == "memory_forget",
        "idempotentHint": operation.read_only,
        "openWorldHint": False,
    }
    assert tool["_meta"] == {"anthropic/maxResultSizeChars": 60_000}


def test_the_lists_may_be_kept_for_an_hour_and_answers_may_not() -> None:
    for method in ("server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list"):
        result = BAKED["modern"][method]["result"]
        assert (result["ttlMs"], result["cacheScope"]) == (3_600_000, "public")


def test_the_list_of_resources_does_not_grow_with_the_project() -> None:
    assert [one["uri"] for one in BAKED["handshake"]["resources/list"]["result"]["resources"]] == ["memoire://context"]
    templates = BAKED["handshake"]["resources/templates/list"]["result"]["resourceTemplates"]
    assert [one["uriTemplate"] for one in templates] == ["memoire://node/{+path}", "memoire://note/{+id}"]


def test_the_prompts_are_listed_before_there_is_a_daemon() -> None:
    for era in ("handshake", "modern"):
        found = BAKED[era]["prompts/list"]["result"]["prompts"]
        assert [prompt["name"] for prompt in found] == ["save_session", "review_stale", "merge_duplicates"]
        assert not [argument for prompt in found for argument in prompt["arguments"] if argument["required"]]


@pytest.mark.shows("H6")
def test_what_tidies_up_or_carries_notes_is_a_command_and_no_tool() -> None:
    commands = {operation.command: operation.is_tool for operation in OPERATIONS}
    for name in ("notes sweep", "notes gc", "notes export", "notes import"):
        assert commands[name] is False
