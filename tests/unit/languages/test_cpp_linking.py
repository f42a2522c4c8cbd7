"""Names of C++ lead through namespaces, classes and the headers that a file includes: never by name alone."""

from memoire.dispatch import extract
from tests.support import Linked
from tests.unit.languages.linked import Project

POOL = {
    "include/pool.hpp": (
        '#pragma once\n#include "conn.hpp"\n#include <memory>\nnamespace app {\nclass Log;\nclass Base {\n public:\n'
        "  void ready();\n  int state_;\n};\nclass Pool : public Base {\n public:\n"
        "  Pool(int size);\n  void open(int n);\n"
        "  static Pool& shared();\n  Conn* take() const;\n  enum Mode { FAST };\n private:\n  int size_;\n"
        "  std::unique_ptr<Conn> first_;\n};\nconstexpr int kLimit = 3;\nint helper(int n);\n}\n"
    ),
    "include/conn.hpp": "namespace app {\nstruct Conn {\n  void send(int n);\n  int fd;\n  Conn& next();\n};\n}\n",
    "src/pool.cpp": (
        '#include "pool.hpp"\nusing namespace app;\nPool::Pool(int size) : size_(size) {}\n'
        "void Pool::open(int n) {\n  first_->send(kLimit);\n  this->ready();\n  state_ = app::helper(size_);\n"
        "  take()->next().send(1);\n}\nPool& Pool::shared() { static Pool pool(FAST); return pool; }\n"
    ),
    "src/conn.cpp": '#include "conn.hpp"\nnamespace app {\nvoid Conn::send(int n) { fd = n; }\n}\n',
    "src/main.cpp": (
        '#include "pool.hpp"\nint main() {\n  auto pool = std::make_unique<app::Pool>(1);\n  pool->open(2);\n'
        "  app::Pool::shared().take()->send(app::Pool::FAST);\n  helper(1);\n}\n"
    ),
    "other/pool.cpp": (
        "namespace other {\nclass Pool { void open(int n); };\nvoid Pool::open(int n) {}\nint helper(int n);\n}\n"
    ),
}


def test_members_outside_of_their_class_see_what_it_and_its_bases_declare() -> None:
    uses = Project(POOL).uses("src/pool.cpp")
    assert {
        "Pool.open -> src/conn.cpp::app.Conn.send",
        "Pool.open -> include/pool.hpp::app.kLimit",
        "Pool.open -> include/pool.hpp::app.Base.ready",
        "Pool.open -> include/pool.hpp::app.Base.state_",
        "Pool.open -> include/pool.hpp::app.helper",
        "Pool.open -> include/pool.hpp::app.Pool.size_",
        "Pool.open -> include/pool.hpp::app.Pool.take",
        "Pool.open -> include/conn.hpp::app.Conn.next",
        "Pool.Pool -> include/pool.hpp::app.Pool.size_",
        "Pool.shared -> include/pool.hpp::app.Pool",
        "Pool.shared -> include/pool.hpp::app.Pool.FAST",
    } <= uses
    assert not any("other/" in use for use in uses)


def test_owning_pointers_and_results_of_calls_are_followed_to_the_body() -> None:
    assert Project(POOL).uses("src/main.cpp") == {
        "main -> include/pool.hpp::app.Pool",
        "main -> src/pool.cpp::Pool.open",
        "main -> src/pool.cpp::Pool.shared",
        "main -> include/pool.hpp::app.Pool.take",
        "main -> include/pool.hpp::app.Pool.FAST",
        "main -> src/conn.cpp::app.Conn.send",
    }


def test_a_name_of_a_namespace_needs_that_namespace() -> None:
    header = "namespace one {\nint f();\nnamespace two { int g(); }\n}\n"
    files = {
        "a.hpp": header,
        "bare.cpp": '#include "a.hpp"\nint run() { return f() + g(); }\n',
        "used.cpp": '#include "a.hpp"\nusing namespace one;\nint run() { return f() + two::g(); }\n',
        "named.cpp": '#include "a.hpp"\nusing one::f;\nnamespace t = one::two;\nint run() { return f() + t::g(); }\n',
        "inside.cpp": '#include "a.hpp"\nnamespace one { int run() { return f() + two::g(); } }\n',
    }
    project = Project(files)
    both = {"run -> a.hpp::one.f", "run -> a.hpp::one.two.g"}
    assert project.uses("bare.cpp") == set()
    assert project.uses("used.cpp") == both
    assert project.uses("named.cpp") == both
    assert project.uses("inside.cpp") == {f"one.{use}" for use in both}


def test_what_an_unnamed_namespace_holds_is_no_body_of_a_declaration_elsewhere() -> None:
    project = Project(
        {
            "api.hpp": "int start();\n",
            "one.cpp": '#include "api.hpp"\nnamespace { int start() { return 1; } }\n',
            "main.cpp": '#include "api.hpp"\nint main() { return start(); }\n',
        }
    )
    assert project.uses("main.cpp") == {"main -> api.hpp::start"}


def test_locals_members_and_type_parameters_shadow_what_headers_declare() -> None:
    project = Project(
        {
            "api.hpp": "struct T { void go(); };\nint count();\nint item;\nvoid close(int fd);\n",
            "a.cpp": (
                '#include "api.hpp"\ntemplate <typename T> void run(T value) { value.go(); T other; other.go(); }\n'
                "class Box {\n  int count() { return item; }\n  int item;\n  void close(int n) {}\n"
                "  int all() { auto f = [](int item) { return item; }; close(1); return count() + f(item); }\n};\n"
                "void loop() { for (auto& item : list()) item.go(); auto [count, b] = pair(); use(count); }\n"
            ),
        }
    )
    assert project.uses("a.cpp") == set()


def test_the_outermost_name_is_meant_where_it_is_asked_for() -> None:
    files = {
        "a.hpp": "int close(int fd);\nclass File { void close(); void end(); int open(const char* path); };\n",
        "a.cpp": (
            '#include "a.hpp"\nvoid File::close() { ::close(1); ::open("x", 0); }\n'
            'void File::end() { close(); open("y"); }\n'
        ),
    }
    project = Project(files)
    assert "File.close -> a.hpp::close" in project.uses("a.cpp")
    assert "File.end -> a.hpp::close" not in project.uses("a.cpp")
    assert project.effects("a.cpp") == {"file_io open"}


def test_a_header_named_h_is_read_as_the_language_it_is_in() -> None:
    cases = {
        "class A {\n public:\n  int x;\n};\n": "cpp",
        "namespace a { int f(); }\n": "cpp",
        "#include <vector>\nstd::vector<int> all();\n": "cpp",
        '/* class A; */\nstruct a { int class_id; };\n#define NAME "std::x"\n': "c",
        '#ifdef __cplusplus\nextern "C" {\nnamespace x { }\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n': "c",
        "": "c",
    }
    assert {text: extract("a.h", text.encode()).language for text in cases} == cases


def test_c_and_cpp_include_each_other() -> None:
    project = Project(
        {
            "api.h": '#ifdef __cplusplus\nextern "C" {\n#endif\nint start(int n);\n#ifdef __cplusplus\n}\n#endif\n',
            "api.c": '#include "api.h"\nint start(int n) { return n; }\n',
            "main.cpp": '#include "api.h"\nint main() { return start(1); }\n',
        }
    )
    assert project.uses("main.cpp") == {"main -> api.c::start"}


def test_tests_by_macros_assert_on_what_they_use() -> None:
    files = {
        "pool.hpp": "class Pool { public: int size(); };\n",
        "pool.cpp": '#include "pool.hpp"\nint Pool::size() { return 1; }\n',
        "pool_test.cc": (
            '#include "pool.hpp"\n#include <gtest/gtest.h>\n'
            "class PoolTest : public testing::Test { protected: Pool pool_; };\n"
            "TEST_F(PoolTest, HasASize) { EXPECT_EQ(pool_.size(), 1); }\n"
            'TEST_CASE("a pool, sized") { Pool().size(); }\n'
        ),
    }
    tests = [item.name for item in Project(files).facts["pool_test.cc"].definitions if item.is_test]
    assert tests == ["PoolTest.HasASize", "a pool, sized"]
    assert "PoolTest.HasASize -> pool.cpp::Pool.size" in Project(files).uses("pool_test.cc")
    assert ("pool_test.cc", "pool.cpp") in Linked(files).edges("ASSERTS_ON")
