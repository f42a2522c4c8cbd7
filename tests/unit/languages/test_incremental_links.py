"""Whatever is saved, added or removed in a project of C, C++ or C#, its edges are those of a project read at once."""

import json

import pytest

from tests.support import Linked

C = {
    "a.c": '#include "a.h"\nint run(void) { return one() + two() + LIMIT; }\n',
    "a.h": '#include "b.h"\nint one(void);\n',
    "b.h": "int two(void);\n#define LIMIT 1\n",
    "a_impl.c": '#include "a.h"\nint one(void) { return 1; }\nint two(void) { return 2; }\n',
}
CPP = {
    "pool.hpp": '#include "base.hpp"\nnamespace app { class Pool : public Base { public: void run(); int n_; }; }\n',
    "base.hpp": "namespace app { class Base { public: void stop(); }; }\n",
    "pool.cpp": '#include "pool.hpp"\nusing namespace app;\nvoid Pool::run() { stop(); n_ = 1; }\n',
    "main.cpp": '#include "pool.hpp"\nint main() { app::Pool pool; pool.run(); pool.stop(); }\n',
}
CSHARP = {
    "app/app.csproj": '<Project><ProjectReference Include="../lib/lib.csproj" /></Project>',
    "app/A.cs": "class A { void Run() { new Tool().Go(); new Tool().Twice(); } }\n",
    "app/Usings.cs": "global using Lib;\n",
    "lib/lib.csproj": "<Project />",
    "lib/Tool.cs": "namespace Lib;\npublic partial class Tool { }\n",
    "lib/Tool.Go.cs": "namespace Lib;\npublic partial class Tool { public void Go() { } }\n",
    "lib/Ext.cs": "namespace Lib;\npublic static class Ext { public static int Twice(this Tool tool) => 2; }\n",
}
STEPS: dict[str, tuple[dict[str, str], list[dict[str, str | None]]]] = {
    "c": (
        C,
        [
            {"a.h": "int one(void);\n"},
            {"a.h": C["a.h"], "b.h": None},
            {"sub/b.h": C["b.h"]},
            {"b.h": "static int two(void) { return 3; }\n"},
            {"a_impl.c": None, "a.c": C["a.c"]},
            {"a_impl.c": C["a_impl.c"], "other.c": '#include "a.h"\nint one(void) { return 5; }\n'},
            {"include/b.h": C["b.h"], "b.h": None, "sub/b.h": None},
            {
                "sub/b.h": "int two(void);\n",
                "out/compile_commands.json": json.dumps(
                    [{"directory": "/p", "file": "a.c", "arguments": ["cc", "-Isub", "a.c"]}]
                ),
            },
            {"out/compile_commands.json": "[]"},
        ],
    ),
    "cpp": (
        CPP,
        [
            {"base.hpp": "namespace app { class Base { }; }\n"},
            {"base.hpp": CPP["base.hpp"], "base.cpp": '#include "base.hpp"\nnamespace app { void Base::stop() { } }\n'},
            {"pool.hpp": CPP["pool.hpp"].replace(" : public Base", "")},
            {"pool.hpp": CPP["pool.hpp"], "pool.cpp": CPP["pool.cpp"].replace("using namespace app;\n", "")},
            {"pool.cpp": None},
            {"pool.cpp": CPP["pool.cpp"], "base.hpp": None},
            {"base.hpp": CPP["base.hpp"]},
        ],
    ),
    "csharp": (
        CSHARP,
        [
            {"app/Usings.cs": "// none\n"},
            {"app/Usings.cs": CSHARP["app/Usings.cs"], "lib/Tool.Go.cs": None},
            {"lib/Tool.Go.cs": CSHARP["lib/Tool.Go.cs"], "app/app.csproj": "<Project />"},
            {"app/app.csproj": CSHARP["app/app.csproj"], "lib/Ext.cs": CSHARP["lib/Ext.cs"].replace("Lib;", "Far;")},
            {"app/Usings.cs": None, "app/app.csproj": '<Project><Using Include="Lib" /></Project>'},
            {"app/app.csproj": None},
            {"lib/Tool.cs": "namespace Far;\npublic class Tool { }\n"},
        ],
    ),
}


def state(project: Linked) -> tuple[set[tuple[str, str]], ...]:
    return project.edges("IMPORTS"), project.edges("DRIVES"), project.symbols("CALLS"), project.symbols("READS")


@pytest.mark.parametrize("language", sorted(STEPS))
def test_every_save_leaves_the_edges_of_a_project_read_at_once(language: str) -> None:
    first, steps = STEPS[language]
    files = dict(first)
    project = Linked(files)
    seen = [state(project)]
    for step in steps:
        written = {path: text for path, text in step.items() if text is not None}
        gone = tuple(path for path, text in step.items() if text is None)
        files = {path: text for path, text in (files | written).items() if path not in gone}
        project.save(written, gone)
        assert state(project) == state(Linked(files)), step
        seen.append(state(project))
    assert len({json.dumps([sorted(part) for part in each]) for each in seen}) > len(steps) // 2
