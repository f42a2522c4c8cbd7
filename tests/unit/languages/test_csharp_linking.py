"""Names of C# lead through namespaces, usings, projects and partial classes: never by name alone."""

from memoire.languages import is_test, language_of
from tests.support import Linked
from tests.unit.languages.linked import Project

CORE = {
    "src/Core/Core.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>',
    "src/Core/Repo.cs": (
        "namespace Acme.Core;\npublic interface IRepo { Task<Item> FindAsync(int id); void Save(Item item); }\n"
        "public class Item { public string Name { get; set; } public Item Next; public void Ship() { } }\n"
        "public class Repo : IRepo {\n  public Task<Item> FindAsync(int id) => null;\n"
        "  public void Save(Item item) { }\n}\n"
    ),
    "src/App/App.csproj": (
        '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><ProjectReference Include="..\\Core\\Core.csproj" />\n'
        '<PackageReference Include="Serilog.Sinks.File" /></ItemGroup></Project>'
    ),
    "src/App/Service.cs": (
        "using Acme.Core;\nnamespace Acme.App;\npublic partial class Service {\n  private readonly IRepo _repo;\n"
        "  public Service(IRepo repo) { _repo = repo; }\n"
        "  public async Task RunAsync() {\n    var item = await _repo.FindAsync(1);\n    item.Next.Ship();\n"
        "    _repo.Save(new Item { Name = Title() });\n    Count++;\n  }\n}\n"
    ),
    "src/App/Service.Part.cs": (
        "namespace Acme.App;\npartial class Service {\n  public int Count { get; set; }\n  string Title() => null;\n}\n"
    ),
    "other/Other.csproj": "<Project />",
    "other/Item.cs": "namespace Acme.Core;\npublic class Item { public void Ship() { } }\npublic class Lost { }\n",
}


def test_injected_fields_lead_to_the_interface_and_results_to_their_class() -> None:
    uses = Project(CORE).uses("src/App/Service.cs")
    assert {
        "Service.RunAsync -> src/Core/Repo.cs::IRepo.FindAsync",
        "Service.RunAsync -> src/Core/Repo.cs::IRepo.Save",
        "Service.RunAsync -> src/Core/Repo.cs::Item.Ship",
        "Service.RunAsync -> src/Core/Repo.cs::Item",
        "Service.RunAsync -> src/App/Service.Part.cs::Service.Title",
        "Service.RunAsync -> src/App/Service.Part.cs::Service.Count",
    } <= uses
    assert not any("other/" in use for use in uses)


def test_a_using_leads_to_the_files_that_are_used_through_it() -> None:
    edges = Linked(CORE).edges("IMPORTS")
    assert ("src/App/Service.cs", "src/Core/Repo.cs") in edges
    assert ("src/App/Service.cs", "other/Item.cs") not in edges


def test_a_project_sees_only_the_projects_that_it_refers_to() -> None:
    files = CORE | {
        "src/App/Lost.cs": "using Acme.Core;\nnamespace Acme.App;\nclass Finder { Lost lost = new Lost(); }\n"
    }
    assert Project(files).uses("src/App/Lost.cs") == set()
    joined = {
        **files,
        "src/Core/Core.csproj": '<Project><ProjectReference Include="../../other/Other.csproj" /></Project>',
    }
    assert "Finder -> other/Item.cs::Lost" in Project(joined).uses("src/App/Lost.cs")


def test_namespaces_of_libraries_are_builtin_or_packages() -> None:
    files = CORE | {
        "src/App/Log.cs": "using System.Text;\nusing Serilog.Sinks.File.Rolling;\nusing Dapper;\nusing Acme.Core;\n"
    }
    assert Project(files).imports("src/App/Log.cs") == {
        "System.Text": "builtin",
        "Serilog.Sinks.File.Rolling": "package",
        "Dapper": "package",
        "Acme.Core": "namespace",
    }


def test_a_name_needs_its_namespace_to_be_used_or_around() -> None:
    files = {
        "lib.cs": "namespace Lib { public class Tool { public static int Size; public class Part { } } }\n",
        "none.cs": "namespace App { class A { int x = Tool.Size; } }\n",
        "used.cs": "using Lib;\nnamespace App { class A { int x = Tool.Size; } }\n",
        "inside.cs": "namespace Lib.Inner { class A { int x = Tool.Size; } }\n",
        "file.cs": "namespace Lib.Inner;\nclass A { int x = Tool.Size; }\n",
        "whole.cs": "namespace App { class A { int x = Lib.Tool.Size; Lib.Tool.Part p; } }\n",
        "alias.cs": "using T = Lib.Tool;\nnamespace App { class A { int x = T.Size; } }\n",
        "static.cs": "using static Lib.Tool;\nnamespace App { class A { int x = Size; } }\n",
    }
    project = Project(files)
    found = {path: {use.partition(" -> ")[2] for use in project.uses(path)} for path in files if path != "lib.cs"}
    size = {"lib.cs::Lib.Tool.Size"}
    assert found == {
        "none.cs": set(),
        "used.cs": size,
        "inside.cs": size,
        "file.cs": size,
        "whole.cs": size | {"lib.cs::Lib.Tool.Part"},
        "alias.cs": size,
        "static.cs": size,
    }


def test_global_usings_count_for_all_files_of_their_project() -> None:
    files = {
        "app/app.csproj": '<Project><ItemGroup><Using Include="Lib.Two" /></ItemGroup></Project>',
        "app/Usings.cs": "global using Lib.One;\n",
        "app/A.cs": "class A { One one = new(); Two two = new(); }\n",
        "tool/tool.csproj": "<Project />",
        "tool/B.cs": "class B { One one = new(); Two two = new(); }\n",
        "One.cs": "namespace Lib.One;\npublic class One { }\n",
        "Two.cs": "namespace Lib.Two;\npublic class Two { }\n",
    }
    project = Project(files)
    assert project.uses("app/A.cs") == {"A -> One.cs::One", "A -> Two.cs::Two"}
    assert project.uses("tool/B.cs") == set()
    linked = Linked(files)
    linked.save({"app/Usings.cs": "// nothing\n"})
    assert ("app/A.cs", "One.cs") not in linked.edges("IMPORTS")


def test_extension_methods_are_members_where_their_namespace_is_used() -> None:
    extensions = (
        "namespace Lib.Ext;\npublic static class Ext {\n  public static int Twice(this IPool pool) => 2;\n"
        "  public static void AddPool(this IServiceCollection services) { }\n}\n"
    )
    body = (
        "class A { void Run(Pool pool, IServiceCollection services, Text text) {\n"
        "  pool.Twice(); services.AddPool(); text.Twice();\n} }\n"
    )
    files = {
        "Ext.cs": extensions,
        "Pool.cs": "namespace Lib;\npublic interface IPool { }\npublic class Pool : IPool { }\npublic class Text { }\n",
        "Used.cs": "using Lib;\nusing Lib.Ext;\n" + body,
        "Not.cs": "using Lib;\n" + body,
    }
    project = Project({**files, "Ext.cs": "using Lib;\n" + extensions})
    found = {use for use in project.uses("Used.cs") if "Ext.cs" in use}
    assert found == {"A.Run -> Ext.cs::Ext.Twice", "A.Run -> Ext.cs::Ext.AddPool"}
    assert not any("Ext.cs" in use for use in project.uses("Not.cs"))


def test_locals_members_and_type_parameters_shadow_classes() -> None:
    project = Project(
        {
            "Lib.cs": "public class T { public void Go() { } }\npublic class item { }\npublic class Name { }\n",
            "A.cs": (
                "class A<T> {\n  T it;\n  string Name;\n  void Run(T value, int item) {\n"
                "    value.Go(); it.Go(); use(item);\n"
                "    var l = from Name in all select Name;\n    all.Select(item => item.ToString());\n"
                "    use(new { Name = 1 }, Name);\n  }\n}\n"
            ),
        }
    )
    assert project.uses("A.cs") == set()


def test_members_of_bases_are_found_across_files() -> None:
    project = Project(
        {
            "Base.cs": "namespace N;\npublic class Base { protected int Count; public virtual void Run() {} }\n",
            "Mid.cs": "namespace N;\npublic class Mid : Base { }\n",
            "Leaf.cs": (
                "namespace N;\nclass Leaf : Mid {\n"
                "  public override void Run() { base.Run(); Count = 1; this.Count++; }\n}\n"
            ),
        }
    )
    assert project.uses("Leaf.cs") == {
        "Leaf -> Mid.cs::Mid",
        "Leaf.Run -> Base.cs::Base.Run",
        "Leaf.Run -> Base.cs::Base.Count",
    }


def test_a_context_of_the_project_gives_the_effects_of_its_library() -> None:
    project = {
        "Db.cs": (
            "using Microsoft.EntityFrameworkCore;\nnamespace App;\n"
            "public class Db : DbContext { public DbSet<Item> Items { get; set; } }\npublic class Item { }\n"
        ),
        "Repo.cs": (
            "namespace App;\nclass Repo(Db db, File file) {\n"
            "  void Save() { db.SaveChanges(); db.Items.Add(new Item()); }\n"
            '  void Read() { File.Delete("x"); Console.WriteLine(1); }\n}\n'
        ),
        "File.cs": "namespace App;\npublic class File { public static void Delete(string path) { } }\n",
    }
    linked = Project(project)
    callees = {effect.callee for effect in linked.link("Repo.cs").effects}
    assert "Microsoft.EntityFrameworkCore.DbContext.SaveChanges" in callees
    assert linked.effects("Repo.cs") == {"ui System.Console.WriteLine"}


def test_tests_are_known_by_attributes_and_by_their_project() -> None:
    files = {
        "src/Pool.cs": "namespace App;\npublic class Pool { public int Grow() => 1; }\n",
        "tests/App.Tests/PoolTests.cs": (
            "using Xunit;\nnamespace App.Tests;\npublic class PoolTests {\n  [Fact]\n"
            "  public void Grows() => Assert.Equal(1, new Pool().Grow());\n  [Theory]\n  [InlineData(1)]\n"
            "  public void Shrinks(int by) { Helper(); }\n  void Helper() { }\n}\n"
        ),
        "tests/App.Tests/Builder.cs": "namespace App.Tests;\nclass Builder { }\n",
    }
    project = Project(files)
    tests = [item.name for item in project.facts["tests/App.Tests/PoolTests.cs"].definitions if item.is_test]
    assert tests == ["PoolTests.Grows", "PoolTests.Shrinks"]
    assert Linked(files).edges("ASSERTS_ON") == {("tests/App.Tests/PoolTests.cs", "src/Pool.cs")}
    language = language_of("a.cs")
    assert language is not None
    assert not language.holds_tests(project.facts["tests/App.Tests/Builder.cs"])
    expected = {"App.Tests/A.cs": True, "src/App.UnitTests/X.cs": True, "src/Latest/A.cs": False, "src/ATests.cs": True}
    assert {path: is_test(path) for path in expected} == expected
