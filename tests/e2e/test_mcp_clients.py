"""Real MCP clients through the real forwarder and daemon: what a client library checks, the answers must stand."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ResourceTemplateReference, TextContent

from tests.daemon_places import BOUND_S, Place, baked_file, new_place, run

CHECKOUT = Path(__file__).parents[2]
NODE_MODULES = Path(os.environ.get("MCP_TEST_NODE", CHECKOUT))
"""The folder whose `node_modules` holds `@modelcontextprotocol/client`; the repository's own unless told otherwise."""


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with new_place() as place:
        yield place


def server(place: Place) -> StdioServerParameters:
    command = ["-m", "tests.fake_memoire", "mcp", place.root, baked_file(place)]
    return StdioServerParameters(command=sys.executable, args=command, cwd=CHECKOUT)


@pytest.mark.parametrize(
    ("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")]
)
@pytest.mark.shows("H1", "T3")
def test_the_python_client_in_both_eras(place: Place, mode: str, version: str) -> None:
    parameters = server(place)

    async def work() -> dict[str, Any]:
        async with Client(parameters, mode=mode) as client:
            tools = (await client.list_tools()).tools
            said = await client.call_tool("say", {"text": "hé", "times": 2})
            wrong = await client.call_tool("expand", {"path": "READ.md"})
            unknown = await client.call_tool("exapnd", {"path": "x"})
            resources = (await client.list_resources()).resources
            templates = (await client.list_resource_templates()).resource_templates
            read = await client.read_resource("memoire://node/src/na%C3%AFve%20file.py")
            reference = ResourceTemplateReference(uri=templates[0].uri_template)
            completed = await client.complete(reference, {"name": "path", "value": "src/mod_14"})
            return {
                "version": client.protocol_version,
                "tools": {tool.name: tool for tool in tools},
                "said": said,
                "wrong": wrong,
                "unknown": unknown,
                "resources": [resource.uri for resource in resources],
                "read": read.contents[0],
                "completed": completed.completion.values,
            }

    found = run(work())
    assert found["version"] == version
    tool = found["tools"]["expand"]
    assert tool.title == "expand, for a test"
    assert tool.input_schema["additionalProperties"] is False
    assert tool.input_schema["properties"]["path"]["description"]
    assert tool.output_schema["required"] == ["path", "type"]
    assert tool.annotations.read_only_hint is True
    assert found["tools"]["write"].annotations.read_only_hint is False
    assert tool.annotations.open_world_hint is False
    assert tool.meta == {"anthropic/maxResultSizeChars": 60_000}
    assert found["said"].structured_content["text"] == "héhé"
    (content,) = found["said"].content
    assert isinstance(content, TextContent)
    assert content.text.startswith('{"text":"héhé","pid":')
    assert found["wrong"].is_error
    assert found["wrong"].content[0].text == (
        "ERR_UNKNOWN_PATH: 'READ.md' is no file or directory of this project. Did you mean README.md?"
    )
    assert found["unknown"].content[0].text.endswith("Did you mean expand?")
    assert found["resources"] == ["memoire://context"]
    assert '"path":"src/naïve file.py"' in found["read"].text
    assert found["completed"] == [f"src/mod_{number}.py" for number in range(140, 150)]


TS_CLIENT = """
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
const [command, ...args] = JSON.parse(process.env.MCP_TEST_COMMAND);
const client = new Client({ name: "ts", version: "1" }, JSON.parse(process.env.MCP_TEST_OPTIONS));
const env = { HOME: process.env.HOME, PATH: process.env.PATH };
await client.connect(new StdioClientTransport({ command, args, env, cwd: process.env.MCP_TEST_CWD }));
const tools = (await client.listTools()).tools.map((tool) => tool.name);
const said = await client.callTool({ name: "say", arguments: { text: "hé" } });
const wrong = await client.callTool({ name: "expand", arguments: { path: "READ.md" } });
const read = await client.readResource({ uri: "memoire://node/README.md" });
const stop = new AbortController();
const waiting = client.callTool({ name: "wait", arguments: {} }, { signal: stop.signal });
setTimeout(() => stop.abort(), 100);
const aborted = await waiting.then(() => "answered", () => "aborted");
const after = await client.callTool({ name: "say", arguments: { text: "after" } });
await client.close();
console.log(JSON.stringify({ tools, said, wrong, read, aborted, after }));
"""


@pytest.mark.parametrize("options", ["{}", '{"versionNegotiation":{"mode":"auto"}}'])
def test_the_typescript_client(place: Place, options: str) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    if not (NODE_MODULES / "node_modules" / "@modelcontextprotocol" / "client").is_dir():
        pytest.skip("npm install @modelcontextprotocol/client was not run in the folder MCP_TEST_NODE names")
    parameters = server(place)
    environment = {
        **os.environ,
        "MCP_TEST_COMMAND": json.dumps([parameters.command, *parameters.args]),
        "MCP_TEST_OPTIONS": options,
        "MCP_TEST_CWD": str(CHECKOUT),
    }
    done = subprocess.run(
        [node, "--input-type=module"],
        input=TS_CLIENT,
        cwd=NODE_MODULES,
        env=environment,
        capture_output=True,
        text=True,
        timeout=BOUND_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["tools"][:3] == ["get_context", "expand", "say"]
    assert found["said"]["structuredContent"]["text"] == "hé"
    assert found["wrong"]["isError"] is True
    assert '"path":"README.md"' in found["read"]["contents"][0]["text"]
    assert found["aborted"] == "aborted"
    assert found["after"]["structuredContent"]["text"] == "after"
