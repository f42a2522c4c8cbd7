"""Prints which file of a Rust workspace names what of which other, by what rustc says of it.

Usage: python rust_uses.py FOLDER > truth.json (needs cargo and rustc; the compiler's own tree is a nightly feature,
which `RUSTC_BOOTSTRAP=1` allows). `files` is what `--emit=dep-info` says each target is made of; `paths` are the files
of all resolved paths and imports that lead to another file.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

OWNER = re.compile(r"^DefId\(0:\d+ ~ \w+\[\w+\](.*?)\) => OwnerNodes")
SPAN = re.compile(r"^(inner_)?span: ([^\s:]+\.rs):\d+:\d+: \d+:\d+ \(#0\)")
DEFINITION = re.compile(r"^DefId\((\d+):\d+ ~ (\w+)\[\w+\](.*)\),?$")


def cargo(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1"}
    done = subprocess.run(["cargo", "--offline", *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    return done.stdout


def read_tree(text: str) -> tuple[dict[str, str], set[tuple[str, str, str]]]:
    """Return (definition -> its file, {(file, crate or empty for its own, definition that a path in it leads to)})."""
    files: dict[str, str] = {}
    found: set[tuple[str, str, str]] = set()
    owner, place, in_segments, before = "", "", False, ""
    for line in text.splitlines():
        start = OWNER.match(line)
        if start:
            owner = start[1]
            continue
        word = line.strip()
        span = SPAN.match(word)
        if span:
            place, in_segments = span[2], False
            if span[1] or owner not in files:
                files[owner] = span[2]
        elif word.startswith("segments: ["):
            in_segments = True
        elif place and not in_segments and (leads := DEFINITION.match(word)) and before != "Mod,":
            found.add((place, "" if leads[1] == "0" else leads[2], leads[3]))
        before = word
    return files, found


def main(folder: Path) -> None:
    """Print the truth."""
    metadata = json.loads(cargo(folder, "metadata", "--no-deps", "--format-version=1"))
    root = metadata["workspace_root"]
    libraries: dict[str, dict[str, str]] = {}
    trees, made_of = [], {}
    for package in metadata["packages"]:
        for target in package["targets"]:
            kind = target["kind"][0]
            selected = ["--lib"] if kind == "lib" else [f"--{kind}", target["name"]]
            with tempfile.TemporaryDirectory() as output:
                arguments = ["rustc", "-p", package["name"], *selected, "--profile", "test", "--"]
                files, found = read_tree(cargo(folder, *arguments, "-Zunpretty=hir-tree"))
                cargo(folder, *arguments, f"--emit=dep-info={output}/made.d")
                lines = Path(output, "made.d").read_text().splitlines()
            made_of[os.path.relpath(target["src_path"], root)] = sorted(line[:-1] for line in lines if line.endswith(".rs:"))
            trees.append((files, found))
            if kind == "lib":
                libraries[target["name"].replace("-", "_")] = files
    paths = set()
    for files, found in trees:
        for place, crate, definition in found:
            known = libraries.get(crate, {}) if crate else files
            while definition and definition not in known:
                definition = definition.rpartition("::")[0]
            other = known.get(definition, place)
            if other != place:
                paths.add((place, other))
    print(json.dumps({"files": made_of, "paths": sorted(paths)}, indent=1))


main(Path(sys.argv[1]))
