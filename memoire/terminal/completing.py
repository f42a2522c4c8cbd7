"""What a shell offers where a line of `memoire` is not finished: `memoire complete -- WORDS`, which its script runs.

It asks the very parser of the command, so that nothing is offered which is not taken.
"""

from collections.abc import Callable, Sequence

from memoire.terminal import arguments

SCRIPTS = {
    "bash": """\
_memoire() {
    local IFS=$'\\n'
    COMPREPLY=($(memoire complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _memoire memoire
""",
    "zsh": """\
_memoire() {
    local -a found
    found=("${(@f)$(memoire complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "$found[1]" ]]; then compadd -- $found; else _files; fi
}
compdef _memoire memoire
""",
    "fish": """\
complete -c memoire -a '(memoire complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
""",
}
"""Shell -> what it has to evaluate at its start."""


def candidates(words: Sequence[str], commands: Sequence[str], run: Callable[[list[str]], object]) -> list[str]:
    """Return what may stand in place of the last word, sorted; nothing where it is a file or free text.

    Args:
        words: After `memoire`, the last one unfinished, maybe empty.
        commands: The name of every command, some of two words.
        run: Runs a command line.
    """
    *before, current = words or [""]
    names = [word for word in before if not word.startswith("-")]
    command = max((name for name in commands if names[: len(name.split())] == name.split()), key=len, default="")
    if not command:
        return _words_after(names, current, commands)
    parser = arguments.parser_of(lambda: run([*command.split()]))
    if parser is None:
        return []
    options = {option: action for action in parser.actions for option in action.option_strings}
    found: Sequence[object] = ()
    if before and before[-1] in options and options[before[-1]].nargs != 0:
        found = [*(options[before[-1]].choices or ())]
    elif current.startswith("-"):
        found = list(options)
    else:
        positional = [action for action in parser.actions if not action.option_strings]
        found = [choice for action in positional for choice in action.choices or ()]
    return sorted(str(each) for each in found if str(each).startswith(current))


def _words_after(names: Sequence[str], current: str, commands: Sequence[str]) -> list[str]:
    """Return the next words of the commands that begin with some words."""
    parts = [name.split() for name in commands]
    found = {part[len(names)] for part in parts if part[: len(names)] == [*names] and len(part) > len(names)}
    return sorted(word for word in found if word.startswith(current))
