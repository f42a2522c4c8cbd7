"""A call that cannot be resolved is bound to nothing: not to what has its name in another app, language or type."""

import pytest

from memoire.languages import LANGUAGES
from tests.support import Linked

DEFINES = {
    "bash": ("lib.sh", "navigate() {\n  echo x\n}\n"),
    "c": ("server.c", "void navigate(int a) {\n}\n"),
    "cpp": ("server.cpp", "namespace a {\nvoid navigate(int a) {\n}\n}\n"),
    "csharp": (
        "Server.cs",
        "namespace A;\npublic static class Server {\n    public static void navigate(int a) {}\n}\n",
    ),
    "dart": ("server.dart", "void navigate(int a) {}\n"),
    "elixir": ("server.ex", "defmodule A.Server do\n  def navigate(a) do\n    a\n  end\nend\n"),
    "go": ("server.go", "package server\n\nfunc navigate(a int) {}\n\ntype T struct{}\n\nfunc (t T) run() {}\n"),
    "java": ("Server.java", "package a;\npublic class Server {\n  static void navigate(int a) {}\n}\n"),
    "kotlin": ("Server.kt", "package a\n\nfun navigate(a: Int) {}\n"),
    "lua": ("server.lua", "local M = {}\nfunction M.navigate(a)\nend\nreturn M\n"),
    "php": ("Server.php", "<?php\nnamespace A;\nfunction navigate($a) {}\n"),
    "python": ("server.py", "def navigate(a):\n    pass\n"),
    "ruby": ("server.rb", "module A\n  def self.navigate(a)\n  end\nend\n"),
    "rust": ("server.rs", "pub fn navigate(a: i32) {}\n"),
    "scala": ("Server.scala", "package a\n\nobject Server {\n  def navigate(a: Int): Unit = {}\n}\n"),
    "shell": ("lib.sh", "navigate() {\n  echo x\n}\n"),
    "swift": ("Sources/A/Server.swift", "func navigate(_ a: Int) {}\n"),
    "typescript": ("server.ts", "export function navigate(a: number) {}\n"),
}
"""Language -> a file of one app that defines `navigate`."""

CALLS = {
    "bash": ("main.sh", "crawl() {\n  navigate 1\n}\n"),
    "c": ("crawler.c", "void crawl(struct list *d) {\n  d->navigate(1);\n}\n"),
    "cpp": ("crawler.cpp", "namespace b {\nvoid crawl(T d) {\n  d.navigate(1);\n  navigate(2);\n}\n}\n"),
    "csharp": (
        "Crawler.cs",
        "namespace B;\npublic class Crawler {\n    void crawl(dynamic d) {\n        d.navigate(1);\n"
        "        navigate(2);\n        Server.navigate(3);\n    }\n}\n",
    ),
    "dart": ("crawler.dart", "void crawl(d) {\n  d.navigate(1);\n  navigate(2);\n}\n"),
    "elixir": (
        "crawler.ex",
        "defmodule B.Crawler do\n  def crawl(d) do\n    navigate(1)\n    Server.navigate(d)\n  end\nend\n",
    ),
    "go": ("crawler.go", "package crawler\n\nfunc crawl(d any) {\n\td.navigate(1)\n\tnavigate(2)\n\td.run()\n}\n"),
    "java": (
        "Crawler.java",
        "package b;\nclass Crawler {\n  void crawl(Object d) {\n    d.navigate(1);\n    navigate(2);\n"
        "    Server.navigate(3);\n  }\n}\n",
    ),
    "kotlin": ("Crawler.kt", "package b\n\nfun crawl(d: Any) {\n  d.navigate(1)\n  navigate(2)\n}\n"),
    "lua": ("crawler.lua", "local function crawl(d)\n  d.navigate(1)\n  d:navigate(2)\n  navigate(3)\nend\n"),
    "php": ("Crawler.php", "<?php\nnamespace B;\nfunction crawl($d) {\n  $d->navigate(1);\n  navigate(2);\n}\n"),
    "python": (
        "crawler.py",
        "def crawl(d):\n    d.navigate(1)\n    navigate(2)\n    d.setdefault('k', []).navigate(3)\n",
    ),
    "ruby": ("crawler.rb", "class Crawler\n  def crawl(d)\n    d.navigate(1)\n    navigate(2)\n  end\nend\n"),
    "rust": ("crawler.rs", "fn crawl(d: T) {\n    d.navigate(1);\n    navigate(2);\n}\n"),
    "scala": (
        "Crawler.scala",
        "package b\n\nclass Crawler {\n  def crawl(d: Any): Unit = {\n    d.navigate(1)\n    navigate(2)\n  }\n}\n",
    ),
    "shell": ("main.sh", "crawl() {\n  navigate 1\n}\n"),
    "swift": ("Sources/B/Crawler.swift", "func crawl(d: Any) {\n  d.navigate(1)\n  navigate(2)\n}\n"),
    "typescript": (
        "crawler.ts",
        "export function crawl(d: any) {\n  d.navigate(1)\n  navigate(2)\n  d.get('k').navigate(3)\n}\n",
    ),
}
"""Language -> a file of another app that calls something of that name which nothing tells it has."""

WITH_CALLS = sorted(language.name for language in LANGUAGES if language.syntax is not None and language.family != "sql")
MANIFESTS = {
    "app_a/go.mod": "module example.com/a\n",
    "app_b/go.mod": "module example.com/b\n",
    "app_a/Cargo.toml": '[package]\nname = "a"\n',
    "app_b/Cargo.toml": '[package]\nname = "b"\n',
    "app_a/Package.swift": 'let package = Package(name: "A", targets: [.target(name: "A")])\n',
    "app_b/Package.swift": 'let package = Package(name: "B", targets: [.target(name: "B")])\n',
    "app_a/pubspec.yaml": "name: a\n",
    "app_b/pubspec.yaml": "name: b\n",
}


@pytest.mark.parametrize("name", WITH_CALLS)
def test_no_edge_leaves_an_app_for_another_by_a_name_alone(name: str) -> None:
    defines, calls = DEFINES[name], CALLS[name]
    files = MANIFESTS | {f"app_a/{defines[0]}": defines[1], f"app_b/{calls[0]}": calls[1]}
    project = Linked(files)
    crossing = [
        (source, target)
        for relation in ("CALLS", "REFERENCES", "INHERITS")
        for source, target in project.symbols(relation)
        if source.startswith("app_b/") and target.startswith("app_a/")
    ]
    assert crossing == []
    assert [
        edge for edge in project.edges("IMPORTS") if edge[0].startswith("app_b/") and edge[1].startswith("app_a/")
    ] == []


@pytest.mark.parametrize("caller", WITH_CALLS)
def test_no_edge_leaves_a_language_for_another_by_a_name_alone(caller: str) -> None:
    path, text = CALLS[caller]
    files = MANIFESTS | {f"app_b/{path}": text}
    families = {language.name: language.family or language.name for language in LANGUAGES}
    for name in WITH_CALLS:
        if name != caller and families[name] != families[caller]:
            files[f"app_b/{DEFINES[name][0]}"] = DEFINES[name][1]
    project = Linked(files)
    crossing = [
        (source, target)
        for relation in ("CALLS", "REFERENCES", "INHERITS")
        for source, target in project.symbols(relation)
        if source.startswith(f"app_b/{path}") and not target.startswith(f"app_b/{path}")
    ]
    assert crossing == []
