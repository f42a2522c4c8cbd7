"""Includes of C lead to files, and names to what the included files declare: never by name alone."""

import json

from memoire.languages import is_test, language_of
from tests.support import Linked
from tests.unit.languages.linked import Project

POOL = {
    "include/pool.h": (
        "#include <stdio.h>\n#define POOL_MAX 8\nenum mode { FAST };\nstruct pool;\n"
        "typedef struct pool { int size; struct conn *first; } pool_t;\n"
        "pool_t *pool_new(int size);\nextern int pool_count;\nstatic inline int twice(int x) { return x + x; }\n"
    ),
    "src/pool.c": (
        '#include "pool.h"\nint pool_count = 0;\nstatic int helper(void) { return POOL_MAX; }\n'
        "pool_t *pool_new(int size) { pool_count++; return helper(); }\n"
    ),
    "src/main.c": (
        '#include "pool.h"\nint main(void) {\n  pool_t *p = pool_new(FAST);\n  p->size = twice(POOL_MAX);\n'
        "  return pool_count;\n}\n"
    ),
    "other/pool.c": "int pool_count;\nint pool_new(int size) { return size; }\nint twice(int x) { return x; }\n",
}


def test_a_name_leads_through_the_header_that_declares_it_to_the_file_that_defines_it() -> None:
    project = Project(POOL)
    assert project.imports("src/main.c") == {'"pool.h"': "include/pool.h"}
    assert project.uses("src/main.c") == {
        "main -> include/pool.h::pool.size",
        "main -> include/pool.h::pool_t",
        "main -> include/pool.h::FAST",
        "main -> include/pool.h::twice",
        "main -> include/pool.h::POOL_MAX",
        "main -> src/pool.c::pool_new",
        "main -> src/pool.c::pool_count",
    }
    assert project.uses("src/pool.c") == {
        "pool_new -> include/pool.h::pool_t",
        "helper -> include/pool.h::POOL_MAX",
    }


def test_a_name_of_a_file_that_is_not_included_is_not_bound() -> None:
    project = Project(
        {
            "a.c": "int run(void) { return helper() + LIMIT; }\n",
            "b.c": "int helper(void) { return 1; }\n",
            "c.h": "#define LIMIT 3\n",
        }
    )
    assert project.uses("a.c") == set()


def test_includes_are_seen_through_headers() -> None:
    project = Project(
        {
            "a.c": '#include "all.h"\nint run(void) { return deep(); }\n',
            "all.h": '#include "sub/one.h"\n',
            "sub/one.h": '#include "two.h"\n',
            "sub/two.h": "int deep(void);\n",
            "sub/two.c": '#include "two.h"\nint deep(void) { return 2; }\n',
            "two.h": "int deep(void) { return 3; }\n",
        }
    )
    assert project.uses("a.c") == {"run -> sub/two.c::deep"}
    assert project.imports("sub/one.h") == {'"two.h"': "sub/two.h"}


def test_quotes_look_beside_the_file_and_angle_brackets_do_not() -> None:
    files = {"src/a.c": '#include "util.h"\n', "src/b.c": "#include <util.h>\n", "src/util.h": "", "include/util.h": ""}
    project = Project(files)
    assert project.imports("src/a.c") == {'"util.h"': "src/util.h"}
    assert project.imports("src/b.c") == {"<util.h>": "include/util.h"}


def test_a_compilation_database_says_where_to_look() -> None:
    entries = [
        {
            "directory": "/build/p/out",
            "file": "../src/a.c",
            "arguments": ["cc", "-I../second", "-iquote", "/build/p/third", "-c"],
        },
        {"directory": "/build/p/out", "file": "../src/b.c", "command": "cc -isystem ../first -c '../src/b.c'"},
    ]
    project = Project(
        {
            "out/compile_commands.json": json.dumps(entries),
            "src/a.c": '#include "x.h"\n#include <x.h>\n',
            "src/b.c": '#include "x.h"\n',
            "first/x.h": "",
            "second/x.h": "",
            "third/x.h": "",
            "include/x.h": "",
        }
    )
    assert project.imports("src/a.c") == {'"x.h"': "third/x.h", "<x.h>": "second/x.h"}
    assert project.imports("src/b.c") == {'"x.h"': "first/x.h"}


def test_cmake_says_where_to_look_and_an_ambiguous_name_leads_nowhere() -> None:
    cmake = "target_include_directories(app PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/api> ${OTHER}/x)\n"
    files = {
        "CMakeLists.txt": cmake,
        "app/a.c": '#include "v.h"\n#include "w.h"\n#include "deep/only.h"\n#include "gone.h"\n',
        "api/v.h": "",
        "x/v.h": "",
        "one/w.h": "",
        "two/w.h": "",
        "lib/deep/only.h": "",
    }
    assert Project(files).imports("app/a.c") == {
        '"v.h"': "api/v.h",
        '"w.h"': "unresolved",
        '"deep/only.h"': "lib/deep/only.h",
        '"gone.h"': "unresolved",
    }


def test_headers_of_the_system_and_of_libraries_are_none_of_the_project() -> None:
    project = Project(
        {"a.c": "#include <string.h>\n#include <sys/stat.h>\n#include <curl/curl.h>\n", "lib/string.h": ""}
    )
    assert project.imports("a.c") == {"<string.h>": "builtin", "<sys/stat.h>": "builtin", "<curl/curl.h>": "package"}


def test_what_is_static_is_seen_by_files_that_include_it_alone() -> None:
    project = Project(
        {
            "api.h": "int start(void);\n",
            "one.c": '#include "api.h"\nstatic int start(void) { return 1; }\n',
            "two.c": '#include "api.h"\nint run(void) { return start(); }\n',
            "all.c": '#include "one.c"\nint run(void) { return start(); }\n',
        }
    )
    assert project.uses("two.c") == {"run -> api.h::start"}
    assert project.uses("all.c") == {"run -> one.c::start"}


def test_of_several_bodies_the_one_beside_the_header_is_meant_else_none() -> None:
    header, body = "int start(void);\n", '#include "{}"\nint start(void) {{ return 1; }}\n'
    main = '#include "api.h"\nint main(void) { return start(); }\n'
    paired = Project({"api.h": header, "api.c": body.format("api.h"), "mock.c": body.format("api.h"), "main.c": main})
    assert paired.uses("main.c") == {"main -> api.c::start"}
    unclear = Project({"api.h": header, "linux.c": body.format("api.h"), "bsd.c": body.format("api.h"), "main.c": main})
    assert unclear.uses("main.c") == {"main -> api.h::start"}
    stranger = Project({"api.h": header, "main.c": main, "tool.c": "int start(void) { return 1; }\n"})
    assert stranger.uses("main.c") == {"main -> api.h::start"}


def test_a_header_of_one_app_does_not_lead_to_the_body_of_another_that_has_its_own() -> None:
    files = {
        "a/util.h": "void navigate(void);\n",
        "a/util.c": "void navigate(void) { }\n",
        "b/util.h": "void navigate(void);\n",
        "b/use.c": '#include "util.h"\nvoid go(void) { navigate(); }\n',
    }
    assert Linked(files).symbols("CALLS") == {("b/use.c::go", "b/util.h::navigate")}
    del files["a/util.h"]
    assert Linked(files).symbols("CALLS") == {("b/use.c::go", "a/util.c::navigate")}


def test_locals_shadow_what_headers_declare() -> None:
    project = Project(
        {
            "api.h": "int count;\nint visit(int x);\nvoid free_all(void);\n",
            "a.c": (
                '#include "api.h"\nint run(int count, int (*visit)(int)) {\n  int free_all = count;\n'
                "  goto count;\ncount:\n  return visit(free_all);\n}\nstruct s { int count; };\n"
                "struct s make(void) { struct s it = { .count = 1 }; return it; }\n"
            ),
        }
    )
    assert project.uses("a.c") == set()


def test_a_function_of_the_project_takes_the_effect_from_its_namesake_of_the_system() -> None:
    project = Project(
        {
            "io.h": "int open(const char *path);\n",
            "a.c": '#include "io.h"\nint run(void) { return open("x") + unlink("y"); }\n',
            "b.c": '#include <fcntl.h>\nint run(void) { return open("x", 0); }\n',
        }
    )
    assert project.effects("a.c") == {"file_io unlink"}
    assert project.effects("b.c") == {"file_io open"}


def test_types_of_fields_are_followed_across_files() -> None:
    project = Project(
        {
            "conn.h": "typedef struct conn conn;\nstruct conn { int fd; int (*send)(conn *c); };\n",
            "pool.h": '#include "conn.h"\nstruct pool { conn *first; };\n',
            "a.c": '#include "pool.h"\nint run(struct pool *p) { p->first->send(p->first); return p->first->fd; }\n',
        }
    )
    assert {"run -> conn.h::conn.send", "run -> conn.h::conn.fd", "run -> pool.h::pool.first"} <= project.uses("a.c")


def test_branches_that_are_not_whole_do_not_hide_what_follows() -> None:
    project = Project(
        {
            "a.h": "int one(void);\nint two(void);\n",
            "a.c": (
                '#include "a.h"\nint run(int x) {\n#ifdef A\n  if (x) {\n#else\n  if (!x) {\n#endif\n'
                "    return one();\n  }\n  return 0;\n}\nint next(void) { return two(); }\n"
            ),
        }
    )
    assert project.uses("a.c") == {"run -> a.h::one", "next -> a.h::two"}
    assert not project.facts["a.c"].problems


def test_tests_are_known_by_macros_names_and_paths() -> None:
    files = {
        "pool.h": "int grow(int by);\n",
        "pool.c": '#include "pool.h"\nint grow(int by) { return by; }\n',
        "tests/pool_test.c": (
            '#include "../pool.h"\nTEST(pool, grows)\n{\n  CHECK(grow(1));\n}\n'
            "void test_more(void **state) { grow(2); }\n"
        ),
    }
    project = Project(files)
    assert [item.name for item in project.facts["tests/pool_test.c"].definitions if item.is_test] == [
        "pool.grows",
        "test_more",
    ]
    assert Linked(files).edges("ASSERTS_ON") == {("tests/pool_test.c", "pool.c")}
    expected = {"tests/a.c": True, "src/list_test.c": True, "tests/a.h": False}
    assert {path: is_test(path) for path in expected} == expected
    language = language_of("tests/pool_test.c")
    assert language is not None
    assert language.holds_tests(project.facts["tests/pool_test.c"])


def test_macros_around_declarations_hide_neither_them_nor_what_is_in_their_place() -> None:
    project = Project(
        {
            "api.h": (
                "#define API\nAPI int one(int a) NOEXCEPT;\nint PRINTFLIKE(1, 2) two(const char *fmt, ...);\n"
                'void three(int a) DEPRECATED(1, "no");\nstruct API box { int side; };\nSTATE four(void);\n'
                "enum kind { OPTION(FIRST, 1), LAST UNUSED_VALUE };\n"
            ),
            "a.c": (
                '#include "api.h"\nint run(struct box *b) {\n  (void)URL;\n  RETURN_IF(one(1))\n  two("x");\n'
                "  three((int)FIRST);\n  four();\n  return b->side + LAST;\n}\n"
            ),
        }
    )
    assert not project.facts["api.h"].problems
    assert {item.name for item in project.facts["api.h"].definitions} == {
        "API", "one", "two", "three", "box", "four", "kind", "FIRST", "LAST",
    }  # fmt: skip
    assert project.uses("a.c") == {
        f"run -> api.h::{name}" for name in ("one", "two", "three", "four", "box", "box.side", "FIRST", "LAST")
    }
