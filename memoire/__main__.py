"""`python -m memoire`, and the `memoire` command: four programs behind one name, each importing only its own."""

import sys

HOOKED = ("claude-code", "codex", "copilot-cli", "cursor", "gemini", "opencode")
"""Clients that run `memoire hook` at every step. The same as in `hook`, which is imported for them alone."""


def main() -> int:
    """Run the command that the arguments name; return its exit status."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["mcp"]:
        from memoire import forwarder

        return forwarder.main(arguments[1:])
    if (
        arguments[:1] == ["hook"] and "".join(arguments[1:2]) in HOOKED
    ):  # shells have a command: theirs runs once, this at every step
        from memoire import hook

        return hook.main(arguments[1:])
    if arguments[:1] == ["daemon"]:
        from memoire.daemon import start

        return start.main(arguments[1:])
    from memoire import cli

    return cli.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
