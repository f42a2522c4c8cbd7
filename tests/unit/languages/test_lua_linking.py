"""Lua through extraction, linking and relations: modules, tables that are classes, metatables."""

import json
from pathlib import Path

import pytest

from memoire.dispatch import extract
from memoire.model import MEMBER, WRITE
from tests.support import Linked

PROJECT = Path(__file__).parents[2] / "languages" / "projects" / "lua"
MODULE = "local M = {}\nfunction M.run() end\nfunction M:go() end\nM.limit = 1\nreturn M\n"


def test_files_require_exactly_those_that_lua_loads() -> None:
    files = {path.relative_to(PROJECT).as_posix(): path.read_bytes() for path in PROJECT.rglob("*.lua")}
    truth = json.loads((PROJECT / "truth.json").read_text())
    assert Linked(files).edges("IMPORTS") == {(source, to) for source, targets in truth.items() for to in targets}


@pytest.mark.parametrize(
    ("path", "name", "target"),
    [
        ("main.lua", "a.b", "a/b.lua"),
        ("main.lua", "a", "a/init.lua"),
        ("main.lua", "a/b", "a/b.lua"),
        ("main.lua", "c", "src/c.lua"),
        ("plugin/x.lua", "nvim.util", "lua/nvim/util.lua"),
        ("game/main.lua", "state", "game/state.lua"),
        ("game/deep/x.lua", "state", "game/state.lua"),
        ("main.lua", "state", "pkg:state"),
        ("main.lua", "socket.http", "pkg:socket"),
        ("main.lua", "string", "pkg:string"),
        ("main.lua", "a..b", ""),
    ],
)
def test_a_name_leads_to_the_file_on_the_path(path: str, name: str, target: str) -> None:
    names = ["a/b.lua", "a/init.lua", "src/c.lua", "lua/nvim/util.lua", "game/state.lua", "game/main.lua", "main.lua"]
    files = {**dict.fromkeys(names, ""), path: f'local x = require("{name}")\nx.y()\n'}
    found = {to for source, to in Linked(files).edges("IMPORTS") if source == path}
    assert found == ({target} if target else set())


def test_the_table_that_a_file_returns_is_its_module() -> None:
    project = Linked(
        {
            "lib/m.lua": MODULE,
            "lib/fields.lua": "local function helper() end\nlocal function run() helper() end\nreturn { run = run }\n",
            "main.lua": (
                'local m = require("lib.m")\nlocal f = require("lib.fields")\nlocal run = require("lib.m").run\n'
                "local function start(m2)\n  m.run()\n  m:go()\n  m.limit = 2\n  f.run()\n  run()\n  m2.run()\n"
                "  m.missing()\n  helper()\nend\nstart()\n"
            ),
        }
    )
    assert project.symbols("CALLS") == {
        ("lib/fields.lua::run", "lib/fields.lua::helper"),
        ("main.lua::start", "lib/m.lua::M.run"),
        ("main.lua::start", "lib/m.lua::M.go"),
        ("main.lua::start", "lib/fields.lua::run"),
        ("main.lua", "main.lua::start"),
    }
    uses = {(use.scope, use.symbol, use.state, use.how) for use in project.processor.links("main.lua").references}
    assert ("start", "M", "limit", WRITE | MEMBER) in uses


def test_methods_are_found_on_instances_and_in_what_their_class_inherits() -> None:
    project = Linked(
        {
            "animal.lua": (
                "local Animal = {}\nAnimal.__index = Animal\nfunction Animal.new()\n"
                "  return setmetatable({}, Animal)\nend\nfunction Animal:eat() end\nreturn Animal\n"
            ),
            "dog.lua": (
                'local Animal = require("animal")\nlocal Dog = {}\nsetmetatable(Dog, { __index = Animal })\n'
                "function Dog:play()\n  self:eat()\n  self:fly()\nend\nreturn Dog\n"
            ),
            "cat.lua": (
                'local Animal = require("animal")\nlocal Cat = Animal:extend()\nfunction Cat:play() self:eat() end\n'
                "return Cat\n"
            ),
            "main.lua": (
                'local Animal = require("animal")\nlocal function run()\n  local one = Animal.new()\n  one:eat()\n'
                "  local two = unknown()\n  two:eat()\nend\n"
            ),
        }
    )
    calls = project.symbols("CALLS")
    assert calls == {
        ("dog.lua::Dog.play", "animal.lua::Animal.eat"),
        ("cat.lua::Cat.play", "animal.lua::Animal.eat"),
        ("main.lua::run", "animal.lua::Animal.new"),
        ("main.lua::run", "animal.lua::Animal.eat"),
    }
    assert project.symbols("INHERITS") == {
        ("dog.lua::Dog", "animal.lua::Animal"),
        ("cat.lua::Cat", "animal.lua::Animal"),
    }


def test_a_table_without_functions_is_a_variable_and_one_in_a_function_is_none() -> None:
    facts = extract("x.lua", b"local Config = { a = 1 }\nlocal M = {}\nfunction M.f()\n  local t = {}\nend\nreturn M\n")
    assert [(item.kind, item.name) for item in facts.definitions] == [
        ("variable", "Config"),
        ("class", "M"),
        ("method", "M.f"),
    ]


def test_specs_assert_on_what_they_call() -> None:
    project = Linked(
        {
            "src/m.lua": MODULE,
            "spec/m_spec.lua": (
                'local m = require("m")\ndescribe("m", function()\n  it("runs", function()\n    m.run()\n  end)\nend)\n'
            ),
            "test/test_m.lua": 'local m = require("m")\nfunction test_run() m.run() end\n',
            "src/use.lua": 'local m = require("m")\nm.run()\n',
        }
    )
    assert project.edges("ASSERTS_ON") == {("spec/m_spec.lua", "src/m.lua"), ("test/test_m.lua", "src/m.lua")}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('local r = require "resty.redis"\nlocal c = r:new()\nc:get("x")', {("cache", "resty.redis.new")}),
        ('local s = require("socket")\nlocal t = s.tcp()\nt:connect("x", 1)', {("network", "socket.tcp")}),
        ('os.execute("x")\nio.popen("y")', {("subprocess", "os.execute"), ("subprocess", "io.popen")}),
        ("local os = {}\nos.execute()", set()),
        ("local function f(io) io.open('x') end", set()),
        ("local log = function() end\nlog.error('x')", set()),
        ("x = math.floor(math.random())", {("random", "math.random")}),
        ("-- io.open('x')\nprint([[os.exit()]])", {("ui", "print")}),
    ],
)
def test_calls_act_on_the_world_by_what_they_lead_to(source: str, found: set[tuple[str, str]]) -> None:
    facts = extract("x.lua", source.encode())
    assert found <= {(item.category, item.callee) for item in facts.effects}
    assert found or not facts.effects


@pytest.mark.parametrize("text", ["", "-- only", "function", "local x = {", "[[", "if " * 500, "return return"])
def test_broken_source_is_read_to_its_end(text: str) -> None:
    facts = extract("x.lua", (text + "\n").encode())
    assert facts.lines == text.count("\n") + 1
    assert all(item.code == "syntax" for item in facts.problems)
