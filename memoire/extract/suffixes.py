"""Which suffixes mark programs, data, documents and pictures."""

from posixpath import basename


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text: how tables of many short names stay readable."""
    return frozenset(text.split())


PROGRAM_SUFFIXES = word_set("""
    py pyi pyx pxd ipynb js mjs cjs jsx ts mts cts tsx vue svelte astro go rs java kt kts scala groovy gradle c
    h cc cpp cxx hpp hh hxx ipp m mm cs fs vb rb rake php swift sh bash zsh fish ps1 bat cmd sql surql lua pl pm
    r jl ex exs erl hrl hs ml mli clj cljs cljc dart nim zig v sv vhd f90 asm s proto graphql gql thrift tf hcl
    cmake scm wgsl glsl hlsl cu sol el lisp rkt tcl awk d pas adb ads nix bzl
""")
"""Of files that are written to be run or compiled, schemas and queries included."""
DATA_SUFFIXES = word_set("""
    json jsonc json5 jsonl yaml yml toml ini cfg conf xml html htm css scss sass less csv tsv lock properties
    plist j2 jinja tmpl service env mk in
""")
"""Of configuration and data: files of the project, and as often of the reader's."""
DOCUMENT_SUFFIXES = word_set("md markdown mdx rst txt adoc asciidoc asc pdf tex")
IMAGE_SUFFIXES = word_set("png jpg jpeg gif webp svg ico bmp avif mp4")


def suffix_of(path: str) -> str:
    """Return what follows the last dot of the base name, lower case; empty where there is none."""
    name = basename(path)
    stem, dot, suffix = name.rpartition(".")
    return suffix.lower() if dot and stem else ""
