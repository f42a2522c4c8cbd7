"""What settings, manifests, markup and schemas name is found by exact path or by the rules of the language meant."""

from memoire.extract.keyed_yaml import outline_yaml, read_yaml
from tests.support import Linked

CODE = {
    "shop/__init__.py": "",
    "shop/cli.py": "class Admin:\n    def run(self):\n        pass\n\n\ndef main():\n    pass\n",
    "tools/check.py": "def check():\n    pass\n",
}


def packages(project: Linked, path: str) -> set[str]:
    return {target for source, target in project.edges("IMPORTS") if source == path and target.startswith("pkg:")}


def files(project: Linked, path: str, relation: str = "IMPORTS") -> set[str]:
    return {target for source, target in project.edges(relation) if source == path and not target.startswith("pkg:")}


def test_an_entry_point_leads_to_its_function_and_a_requirement_to_its_module() -> None:
    manifest = (
        '[project]\nname = "shop"\ndependencies = ["PyYAML>=6", "anyio"]\n\n'
        '[project.scripts]\nshop = "shop.cli:main"\nadmin = "shop.cli:Admin.run"\ngone = "shop.gone:main"\n'
    )
    project = Linked(CODE | {"pyproject.toml": manifest})
    assert files(project, "pyproject.toml") == {"shop/cli.py"}
    assert packages(project, "pyproject.toml") == {"pkg:yaml", "pkg:anyio"}
    assert project.edge("pyproject.toml", "IMPORTS", "pkg:yaml").rationale == "pyproject.toml:3 requires pypi:PyYAML"
    assert project.symbols("REFERENCES") == {
        ("pyproject.toml::project.scripts.shop", "shop/cli.py::main"),
        ("pyproject.toml::project.scripts.admin", "shop/cli.py::Admin.run"),
    }


def test_an_entry_point_is_of_its_own_distribution_and_a_command_names_no_one_of_several() -> None:
    manifest = '[project]\nname = "a"\n\n[project.scripts]\nrun = "app.main:run"\n'
    code = "def run():\n    pass\n"
    project = Linked(
        {
            "a/pyproject.toml": manifest,
            "b/pyproject.toml": manifest,
            "b/src/app/main.py": code,
            "Makefile": "all:\n\tcd b && python -m app.main\n",
        }
    )
    assert project.edges("REFERENCES") == {("Makefile", "b/src/app/main.py")}
    assert {edge for edge in project.edges("IMPORTS") if edge[0].endswith(".toml")} == {
        ("b/pyproject.toml", "b/src/app/main.py")
    }
    project.save({"a/app/main.py": code})
    assert project.edges("REFERENCES") == set()


def test_settings_count_for_no_fan_in_and_are_not_driven() -> None:
    users = {f"use{number}.py": "from shop.cli import main\n\nmain()\n" for number in range(2)}
    manifest = '[project]\nname = "shop"\n\n[project.scripts]\nshop = "shop.cli:main"\n'
    project = Linked(CODE | users | {"pyproject.toml": manifest})
    assert project.edges("DRIVES") == set()
    project.save({"use2.py": users["use0.py"]})
    assert project.edges("DRIVES") == {("shop/cli.py", f"use{number}.py") for number in range(3)}


def test_a_command_names_files_by_exact_path_and_modules_by_python() -> None:
    workflow = (
        "jobs:\n  test:\n    steps:\n      - uses: ./.github/actions/setup\n      - run: |\n"
        "          python tools/check.py\n          python -m shop.cli\n          cd web && node build.js\n"
        "          python elsewhere/check.py\n          cd $DIR && python tools/other.py\n"
        "      - run: uvicorn shop.cli:main\n"
    )
    project = Linked(
        CODE
        | {
            ".github/workflows/ci.yml": workflow,
            ".github/actions/setup/action.yml": "runs:\n  using: node20\n  main: index.js\n",
            ".github/actions/setup/index.js": "",
            "web/build.js": "",
            "build.js": "",
            "tools/other.py": "",
        }
    )
    path = ".github/workflows/ci.yml"
    assert files(project, path, "REFERENCES") == {"tools/check.py", "shop/cli.py", "web/build.js"}
    assert files(project, path) == {".github/actions/setup/action.yml"}
    assert files(project, ".github/actions/setup/action.yml") == {".github/actions/setup/index.js"}
    edge = project.edge(path, "REFERENCES", "tools/check.py")
    assert edge.rationale == f'{path}:6 "python tools/check.py" names tools/check.py.'
    assert not edge.is_causal


def test_a_specification_in_a_command_is_not_carried_out() -> None:
    project = Linked({"docs/spec.md": "# Spec\n", "Makefile": "all:\n\tcat docs/spec.md\n"})
    assert project.edges("IMPLEMENTS") == set()
    assert project.edges("REFERENCES") == {("Makefile", "docs/spec.md")}


def test_a_package_names_its_sources_and_the_packages_of_the_workspace() -> None:
    project = Linked(
        {
            "package.json": '{"workspaces": ["packages/*"], "scripts": {"build": "node scripts/build.js"}}',
            "scripts/build.js": "",
            "packages/app/package.json": (
                '{"name": "app", "main": "./dist/index.js", "dependencies": {"@acme/core": "*", "react": "18"}}'
            ),
            "packages/app/src/index.ts": "",
            "packages/core/package.json": '{"name": "@acme/core", "main": "./lib/main.js"}',
            "packages/core/src/main.ts": "",
        }
    )
    assert files(project, "package.json", "REFERENCES") == {"scripts/build.js"}
    assert files(project, "packages/app/package.json") == {"packages/app/src/index.ts", "packages/core/src/main.ts"}
    assert packages(project, "packages/app/package.json") == {"pkg:react"}


def test_the_context_of_an_image_is_what_compose_says_or_the_only_one_that_has_the_file() -> None:
    image = "FROM python:3.12\nCOPY package.json run.sh ./\nCOPY only.txt .\nCMD python -m shop.cli\n"
    tree = CODE | {"api/Dockerfile": image, "api/package.json": "{}", "package.json": "{}", "api/only.txt": ""}
    project = Linked(tree | {"api/run.sh": "", "run.sh": ""})
    assert files(project, "api/Dockerfile") == {"api/only.txt", "shop/cli.py"}
    project.save(
        {"compose.yml": "services:\n  api:\n    build: ./api\n    image: api\n  db:\n    image: postgres:16\n"}
    )
    assert files(project, "api/Dockerfile") == {"api/only.txt", "api/package.json", "api/run.sh"}
    assert files(project, "compose.yml") == {"api/Dockerfile"}
    project.save({"api/Dockerfile.dev": "FROM x\nCOPY package.json .\n"})
    assert files(project, "api/Dockerfile.dev") == set()  # the same folder, and no context that anything says
    assert packages(project, "compose.yml") == {"pkg:docker:postgres"}
    project.save({"compose.yml": "services:\n  api:\n    build:\n      context: .\n      dockerfile: api/Dockerfile\n"})
    assert files(project, "api/Dockerfile") == {"package.json", "run.sh", "shop/cli.py"}


def test_pages_and_sheets_load_what_lies_beside_them_or_below_the_root_of_their_site() -> None:
    project = Linked(
        {
            "web/index.html": (
                '<link rel="stylesheet" href="css/site.scss"><script src="/src/main.ts"></script>\n'
                '<img src="/logo.svg"><script src="https://x.example/src/main.ts"></script>\n'
            ),
            "web/src/main.ts": "",
            "web/public/logo.svg": "",
            "main.ts": "",
            "web/css/site.scss": (
                '@use "palette";\n@import "parts/buttons", "missing";\n.a { background: url(dot.png) }\n'
            ),
            "web/css/_palette.scss": "$ink: #000;\n",
            "web/css/parts/_buttons.scss": "",
            "web/css/dot.png": "",
            "palette.scss": "",
        }
    )
    assert files(project, "web/index.html") == {"web/css/site.scss", "web/src/main.ts", "web/public/logo.svg"}
    assert files(project, "web/css/site.scss") == {
        "web/css/_palette.scss",
        "web/css/parts/_buttons.scss",
        "web/css/dot.png",
    }


def test_templates_name_those_of_their_own_folder_or_the_only_one_of_a_path() -> None:
    page = '{% extends "base.html" %}\n{% include "b/only.html" %}\n<link href="{% static "site.css" %}">\n'
    project = Linked(
        {
            "a/templates/a/page.html": page,
            "a/templates/base.html": "",
            "b/templates/base.html": "",
            "b/templates/b/only.html": '{% extends "missing.html" %}',
            "b/static/site.css": "",
            "c/page.html": page,
        }
    )
    assert files(project, "a/templates/a/page.html") == {
        "a/templates/base.html",
        "b/templates/b/only.html",
        "b/static/site.css",
    }
    assert files(project, "c/page.html") == {"b/templates/b/only.html", "b/static/site.css"}


def test_builds_of_other_ecosystems_name_their_parts() -> None:
    project = Linked(
        {
            "Cargo.toml": (
                '[workspace]\nmembers = ["crates/core"]\n\n[workspace.dependencies]\nnet = { path = "crates/net" }\n'
            ),
            "crates/core/Cargo.toml": (
                '[lib]\npath = "lib.rs"\n\n[dependencies]\nserde-json = "1"\nnet.workspace = true\n'
            ),
            "crates/net/Cargo.toml": "",
            "crates/core/lib.rs": "",
            "go.work": "go 1.22\n\nuse (\n\t./svc\n)\n",
            "svc/go.mod": "module acme/svc\n\nrequire github.com/a/b v1.0.0\n",
            "pom.xml": "<project><modules><module>web</module></modules></project>",
            "web/pom.xml": "<project><parent><artifactId>x</artifactId></parent></project>",
            "settings.gradle": "include ':core'\n",
            "core/build.gradle.kts": 'dependencies {\n  implementation(project(":net"))\n}\n',
            "net/build.gradle": "",
            "App/App.csproj": '<Project><ProjectReference Include="..\\Lib\\Lib.csproj" /></Project>',
            "Lib/Lib.csproj": "<Project />",
            "requirements.txt": "-r requirements/dev.txt\nscikit-learn\n",
            "requirements/dev.txt": "pytest\n",
            "infra/main.tf": 'module "vpc" {\n  source = "../modules/vpc"\n}\n',
            "modules/vpc/main.tf": 'module "all" {\n  source = "../.."\n}\n',
            "main.tf": "",
            "api/shop/v1/shop.proto": 'import "shop/v1/common.proto";\n',
            "api/shop/v1/common.proto": "",
            "a.graphql": '#import "./parts/b.graphql"\n',
            "parts/b.graphql": "",
            "Makefile": "include mk/common.mk\n",
            "mk/common.mk": "",
        }
    )
    found = {edge for edge in project.edges("IMPORTS") if not edge[1].startswith("pkg:")}
    assert found == {
        ("Cargo.toml", "crates/core/Cargo.toml"),
        ("Cargo.toml", "crates/net/Cargo.toml"),
        ("crates/core/Cargo.toml", "crates/core/lib.rs"),
        ("crates/core/Cargo.toml", "crates/net/Cargo.toml"),
        ("go.work", "svc/go.mod"),
        ("pom.xml", "web/pom.xml"),
        ("web/pom.xml", "pom.xml"),
        ("settings.gradle", "core/build.gradle.kts"),
        ("core/build.gradle.kts", "net/build.gradle"),
        ("App/App.csproj", "Lib/Lib.csproj"),
        ("requirements.txt", "requirements/dev.txt"),
        ("infra/main.tf", "modules/vpc/main.tf"),
        ("modules/vpc/main.tf", "main.tf"),
        ("api/shop/v1/shop.proto", "api/shop/v1/common.proto"),
        ("a.graphql", "parts/b.graphql"),
        ("Makefile", "mk/common.mk"),
    }
    assert packages(project, "requirements.txt") == {"pkg:sklearn"}
    assert packages(project, "crates/core/Cargo.toml") == {"pkg:serde_json"}


def test_components_use_what_their_markup_names_and_are_found_from_code() -> None:
    project = Linked(
        {
            "src/main.ts": "import App from './App.vue'\n\nexport function start() {\n  App.mount()\n}\n",
            "src/App.vue": (
                '<template>\n  <user-card :name="show(name)" />\n  <OtherCard />\n</template>\n\n'
                "<script setup lang=\"ts\">\nimport UserCard from './UserCard.vue'\nimport { show } from './format'\n"
                "const name = 'x'\n</script>\n"
            ),
            "src/UserCard.vue": "<script>\nimport { show } from './format'\nexport default { show }\n</script>\n",
            "src/Other.svelte": (
                "<script lang=\"ts\">\n  import { show } from './format'\n</script>\n<p>{show('a')}</p>\n"
            ),
            "src/format.ts": "export function show(name: string) {\n  return name\n}\n",
            "src/OtherCard.vue": "",
        }
    )
    assert files(project, "src/main.ts") == {"src/App.vue"}
    assert files(project, "src/App.vue") == {"src/UserCard.vue", "src/format.ts"}
    assert ("src/App.vue", "src/format.ts::show") in project.symbols("CALLS")
    assert ("src/Other.svelte", "src/format.ts::show") in project.symbols("CALLS")
    assert ("src/format.ts", "src/Other.svelte") in project.edges("DRIVES")


def test_a_notebook_imports_and_calls_as_python_does() -> None:
    cell = '{"cell_type": "code", "source": ["from shop.cli import main\\n", "%time main()\\n", "main()"]}'
    project = Linked(CODE | {"notes/a.ipynb": f'{{"cells": [{cell}], "metadata": {{}}}}'})
    assert files(project, "notes/a.ipynb") == {"shop/cli.py"}
    assert project.symbols("CALLS") == {("notes/a.ipynb", "shop/cli.py::main")}


def test_code_that_imports_a_key_of_data_refers_to_it() -> None:
    code = "import { version } from './package.json'\n\nexport function show() {\n  return version\n}\n"
    project = Linked({"show.ts": code, "package.json": '{"name": "x", "version": "1"}'})
    assert project.symbols("REFERENCES") == {("show.ts::show", "package.json::version")}


def test_half_a_surrogate_pair_in_data_can_be_stored() -> None:
    text = '{"name": "\\ud800", "main": "\\ud800.js", "scripts": {"\\udfff": "node \\udfff.js"}}'
    project = Linked({"package.json": text})
    assert project.processor.records["package.json"].facts


def test_keys_of_data_are_what_no_document_means_by_a_name() -> None:
    project = Linked(
        {
            "settings.json": '{"readTimeout": 3, "Client": {"maxRetries": 1}}',
            "README.md": "# Shop\n\nSet `readTimeout` and `Client.maxRetries`.\n",
        }
    )
    assert project.edges("DOCUMENTS") == set()


def test_the_outline_of_yaml_is_the_upper_part_of_the_whole() -> None:
    text = (
        "a: 1\nb:\n  c: 2\n  d: [x,\n    y: z]\n  e: |\n    f: g\n\n# h: i\nlist:\n- j: 1\n  k: 2\n-\n  l: 3\n"
        "m:\n    n: 1\n    o:\n        p: 2\n'q': \"r: s\"\nt: >-\n  u: v\n  w\nx:\n  # y: z\n  z: end\n"
    )
    upper = [entry for entry in read_yaml(text) if len(entry.keys) <= 2 and not entry.is_item]
    assert [(entry.keys, entry.line, entry.end_line) for entry in outline_yaml(text)] == [
        (entry.keys, entry.line, entry.end_line) for entry in upper
    ]
