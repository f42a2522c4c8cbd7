"""Elixir through extraction, linking and relations: modules by their full names, in whatever file they stand."""

import json
from pathlib import Path

import pytest

from memoire.dispatch import extract
from tests.support import Linked

PROJECT = Path(__file__).parents[2] / "languages" / "projects" / "elixir"
REPO = "defmodule Shop.Repo do\n  use Ecto.Repo, otp_app: :shop\nend\n"
TEXT = "defmodule Shop.Text do\n  def trim(text), do: text\n  defp hidden(text), do: text\nend\n"


def module(name: str, *lines: str) -> str:
    return "\n".join((f"defmodule {name} do", *(f"  {line}" for line in lines), "end", ""))


def test_files_depend_on_exactly_those_that_the_compiler_says() -> None:
    files = {path.relative_to(PROJECT).as_posix(): path.read_bytes() for path in PROJECT.rglob("*.ex")}
    truth = json.loads((PROJECT / "truth.json").read_text())
    found = {(source, to) for source, to in Linked(files).edges("IMPORTS") if not to.startswith("pkg:")}
    assert found == {(source, to) for source, targets in truth.items() for to in targets}


@pytest.mark.parametrize(
    ("lines", "symbol"),
    [
        (["def go(x), do: Shop.Text.trim(x)"], "Shop.Text.trim"),
        (["alias Shop.Text", "def go(x), do: Text.trim(x)"], "Shop.Text.trim"),
        (["alias Shop.Text, as: T", "def go(x), do: x |> T.trim()"], "Shop.Text.trim"),
        (["alias Shop.{Other, Text}", "def go(x), do: Text.trim x"], "Shop.Text.trim"),
        (["alias Shop.Text", "import Text", "def go(x), do: trim(x)"], "Shop.Text.trim"),
        (["alias Shop.Text.Inner", "alias Shop.Text", "def go(x), do: Text.trim(x)"], "Shop.Text.trim"),
        (["import Shop.Text", "def go(x), do: Text.trim(x)"], ""),
        (["alias Shop", "def go(x), do: Shop.Text.trim(x)"], "Shop.Text.trim"),
        (["import Shop.Text", "def go(x), do: trim(x)"], "Shop.Text.trim"),
        (["import Shop.Text, only: [trim: 1]", "def go(x), do: trim(x)"], "Shop.Text.trim"),
        (["def go(x), do: Enum.map(x, &Shop.Text.trim/1)"], "Shop.Text.trim"),
        (['def go(x), do: "a #{Shop.Text.trim(x)}"'], "Shop.Text.trim"),
        (["def go(x), do: trim(x)"], ""),
        (["def go(x), do: Text.trim(x)"], ""),
        (["def go(trim), do: trim"], ""),
        (["def go(x), do: Other.Text.trim(x)"], ""),
        (["def go(x), do: x.trim"], ""),
        (['def go(_), do: "Shop.Text.trim(x)"', "# Shop.Text.trim(x)"], ""),
        (["import Shop.Text, only: [other: 1]", "def go(x), do: trim(x)"], ""),
        (["import Shop.Text", "def trim(x), do: x", "def go(x), do: trim(x)"], "Shop.Use.trim"),
        (["def go(x), do: __MODULE__.help(x)", "defp help(x), do: x"], "Shop.Use.help"),
        (["def go(x), do: Inner.f(x)", "defmodule Inner do def f(x), do: x end"], "Shop.Use.Inner.f"),
    ],
)
def test_a_call_leads_to_the_function_that_the_compiler_would_call(lines: list[str], symbol: str) -> None:
    project = Linked({"lib/text.ex": TEXT, "lib/use.ex": module("Shop.Use", *lines)})
    calls = {target.partition("::")[2] for source, target in project.symbols("CALLS") if source.endswith(".go")}
    assert calls == ({symbol} if symbol else set())


def test_a_module_is_none_of_the_module_around_it_by_its_last_name() -> None:
    project = Linked(
        {
            "lib/a.ex": module("A", "def run(x), do: Logger.info(x)", "def miss(x), do: A.Missing.go(x)"),
            "lib/a/logger.ex": module("A.Logger", "def info(x), do: x"),
        }
    )
    assert project.symbols("CALLS") == set()
    facts = project.processor.facts("lib/a.ex")
    assert facts is not None
    assert [(item.category, item.callee, item.is_void) for item in facts.effects] == [("logging", "Logger.info", False)]


def test_a_repository_acts_on_the_database_where_it_is_called() -> None:
    project = Linked(
        {
            "lib/repo.ex": REPO,
            "lib/a.ex": module("Shop.A", "alias Shop.Repo", "def all(q), do: Repo.all(q)", "def s(q), do: q"),
            "lib/b.ex": module("Shop.B", "def one(q), do: q |> Shop.Repo.one!()"),
        }
    )
    for path, callee in (("lib/a.ex", "Ecto.Repo.all"), ("lib/b.ex", "Ecto.Repo.one!")):
        facts = project.processor.facts(path)
        assert facts is not None
        found = [(item.category, item.callee) for item in facts.effects if not item.is_void]
        assert found == [("database", callee)]


def test_structs_behaviours_and_protocols_lead_to_their_modules() -> None:
    project = Linked(
        {
            "lib/user.ex": module("Shop.User", "defstruct [:name]"),
            "lib/store.ex": module("Shop.Store", "@callback put(term) :: :ok"),
            "lib/size.ex": "defprotocol Shop.Size do\n  def size(x)\nend\n",
            "lib/use.ex": module(
                "Shop.Use",
                "@behaviour Shop.Store",
                "alias Shop.User",
                "def go(%User{} = u), do: Shop.Size.size(u)",
            ),
        }
    )
    assert {to for source, to in project.edges("IMPORTS") if source == "lib/use.ex"} == {
        "lib/user.ex",
        "lib/store.ex",
        "lib/size.ex",
    }
    assert ("lib/use.ex::Shop.Use", "lib/store.ex::Shop.Store") in project.symbols("INHERITS")


def test_apps_of_an_umbrella_see_the_modules_of_each_other() -> None:
    project = Linked(
        {
            "apps/core/lib/core.ex": module("Core", "def run, do: :ok"),
            "apps/web/lib/web.ex": module("Web", "def go, do: Core.run()"),
        }
    )
    assert project.symbols("CALLS") == {("apps/web/lib/web.ex::Web.go", "apps/core/lib/core.ex::Core.run")}


def test_tests_assert_on_what_they_call_and_helpers_do_not() -> None:
    project = Linked(
        {
            "lib/text.ex": TEXT,
            "test/text_test.exs": module(
                "Shop.TextTest",
                "use ExUnit.Case",
                "alias Shop.Text",
                'describe "trim/1" do',
                '  test "trims", %{text: text} do',
                "    assert Text.trim(text)",
                "  end",
                "end",
            ),
            "test/support/case.ex": module("Shop.Case", "def help(x), do: Shop.Text.trim(x)"),
        }
    )
    assert project.edges("ASSERTS_ON") == {("test/text_test.exs", "lib/text.ex")}
    facts = project.processor.facts("test/text_test.exs")
    assert facts is not None
    assert [item.name for item in facts.definitions if item.is_test] == ["Shop.TextTest.trims"]


@pytest.mark.parametrize("text", ["", "# only", "defmodule A do", "def", '"#{', "fn -> " * 300, "end", "~s(", "%{" * 9])
def test_broken_source_is_read_to_its_end(text: str) -> None:
    facts = extract("x.ex", (text + "\n").encode())
    assert facts.lines == text.count("\n") + 1
    assert all(item.code == "syntax" for item in facts.problems)


def test_a_module_brings_the_aliases_that_its_functions_quote_to_those_that_use_it() -> None:
    web = module(
        "Shop.Web",
        "def controller do",
        "  quote do",
        "    alias Shop.Repo",
        "  end",
        "end",
        "defmacro __using__(which), do: apply(__MODULE__, which, [])",
    )
    body = ("def go(x), do: Repo.all(x)", "def on(x), do: Other.all(x)")
    files = {
        "lib/repo.ex": REPO,
        "lib/web.ex": web,
        "lib/a.ex": module("Shop.A", "use Shop.Web, :controller", *body),
        "lib/b.ex": module("Shop.B", "import Enum", *body),
    }
    project = Linked(files)
    found = {path: project.processor.facts(path) for path in ("lib/a.ex", "lib/b.ex")}
    effects = {path: [item.callee for item in facts.effects] if facts else [] for path, facts in found.items()}
    assert effects == {"lib/a.ex": ["Ecto.Repo.all"], "lib/b.ex": []}
