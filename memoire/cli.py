"""The `memoire` command. Imports nothing but the smallest part of the standard library until a command needs it.

Commands that ask the project something are not written here: each operation brings its own, read from `baked.json`.
`mcp`, `daemon` and an assistant's `hook` are programs of their own, told apart in `__main__`.
"""

import os
import sys

from memoire import __version__
from memoire.errors import InvalidArgumentError, MemoireError

EXIT_INTERRUPTED = 130
"""What a shell gives for a command that SIGINT ended: 128 + 2."""

EXIT_BROKEN_PIPE = 141
"""What a shell gives for a command that SIGPIPE ended: 128 + 13."""

EXIT_NOT_RUNNING = 3
"""Of `status` where no daemon runs. Source: Linux Standard Base, init scripts."""

PROGRAMS = {
    "mcp": "what an assistant starts: speaks MCP on standard input and output",
    "daemon": "what `start` starts: the daemon itself",
}
"""Run before this module is loaded; here to be listed."""

EXAMPLES = """\
Examples:
  memoire init                      set up this project, and tell the assistants in use about it
  memoire context                   what an assistant sees at the start of a session
  memoire expand src/app.py         one file: what it does, who depends on it, which tests check it
  memoire search retry payment      find files, symbols, documents and events
  memoire doctor                    see whether everything works, and what to do if not
"""


def main(given: list[str] | None = None) -> int:
    """Run one command, of the command line unless given; return its exit status: 0, or that of the error it shows."""
    given = sys.argv[1:] if given is None else given
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a path that the terminal's encoding has no letters for
    as_json = "--json" in given or "--brief" in given
    try:
        status = _run_quietly(given) if "--quiet" in given else _run(given)
        sys.stdout.flush()
    except MemoireError as error:
        return _report(error.code, str(error), error.exit_code, as_json=as_json)
    except BrokenPipeError:
        # Python would try to flush once more at its end, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except OSError as error:
        return _report(MemoireError.code, str(error), MemoireError.exit_code, as_json=as_json)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return status


def command_names() -> list[str]:
    """Return the name of every command, those of operations and the other programs included."""
    from memoire.terminal import arguments

    return list(dict.fromkeys([*_COMMANDS, *arguments.operations(), *PROGRAMS]))


def _run(given: list[str]) -> int:
    if given in (["version"], ["--version"]):
        return _write_version(as_json=False)  # before anything is imported
    if given[:1] == ["hook"] and len(given) == 2 and not given[1].startswith("-"):
        return _hook(given[1])  # every new shell waits for it
    if given[:2] == ["complete", "--"]:
        return _complete(given[2:])
    from memoire.terminal import arguments

    name, rest = arguments.split(given)
    if not name and rest:
        raise InvalidArgumentError(rest[0], "there is no command; `memoire --help` lists them")
    name = {"--version": "version", "-h": "", "--help": "", "help": ""}.get(name, name)
    if not name:
        return _help(rest)
    if name in _COMMANDS:
        return _COMMANDS[name][1](rest)
    if name in arguments.operations():
        return _operation(name, rest)
    if group := [command for command in command_names() if command.startswith(f"{name} ")]:
        return _group(name, rest, group)
    if name in PROGRAMS:
        raise InvalidArgumentError(name, f"comes first: `memoire {name} --root DIR`")
    near = arguments.near(name, command_names())
    raise InvalidArgumentError(name, "there is no such command; `memoire --help` lists them", near)


def _run_quietly(given: list[str]) -> int:
    from contextlib import redirect_stdout

    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):  # noqa: PTH123 - no pathlib yet
        return _run(given)


def _report(code: str, message: str, exit_code: int, *, as_json: bool) -> int:
    if as_json:
        import json

        sys.stdout.write(json.dumps({"error": {"code": code, "message": message}}, ensure_ascii=False) + "\n")
    else:
        from memoire.terminal.blocks import clean

        sys.stderr.write(f"memoire: {clean(message)}\n")
    return exit_code


def _help(given: list[str]) -> int:
    """Show all commands, or the help of one: `memoire help expand`."""
    from memoire.terminal import arguments

    if given and given[0] not in PROGRAMS and not given[0].startswith("-"):
        return _run([*given, "--help"])
    texts = {name: operation.title for name, operation in arguments.operations().items()}
    texts = {**texts, **{name: summary for name, (summary, _) in _COMMANDS.items()}, **PROGRAMS}
    sys.stdout.write("memoire: a causal memory of your project for AI coding assistants\n\n")
    sys.stdout.write("Usage: memoire COMMAND [--json] [--root DIR] ...\n\nCommands:\n")
    sys.stdout.writelines(f"  {name:<14}{texts[name]}\n" for name in command_names())
    sys.stdout.write(f"\n{EXAMPLES}")
    return 0


def _group(name: str, given: list[str], commands: list[str]) -> int:
    """Run one of several commands that share their first word, as `graph cycles` does; list them where none is named.

    Raises:
        InvalidArgumentError: The group has no such command.
    """
    from memoire.terminal import arguments

    second, rest = arguments.split(given)
    command = f"{name} {second}"
    if command in _COMMANDS:
        return _COMMANDS[command][1](rest)
    if command in commands:
        return _operation(command, rest)
    if second and not second.startswith("-"):
        near = [f"{name} {word}" for word in arguments.near(second, [each.split()[-1] for each in commands])]
        raise InvalidArgumentError(command, f"there is no such command; `memoire {name}` lists them", near)
    sys.stdout.write(f"usage: memoire {name} COMMAND [--json] [--root DIR] ...\n\nCommands:\n")
    titles = {each: operation.title for each, operation in arguments.operations().items()}
    titles |= {each: summary for each, (summary, _) in _COMMANDS.items()}
    sys.stdout.writelines(f"  {each:<14}  {titles[each]}\n" for each in commands)
    return 0


def _root(folder: str) -> str:
    from memoire.terminal import arguments

    return arguments.project_root(folder)


def _show(result: dict[str, object], *, as_json: bool | str) -> int:
    """Write a result: one JSON document if asked for, tables on a terminal, else aligned text; return 0."""
    if as_json:
        from memoire.terminal import json_text

        json_text.write(result, sys.stdout, style=as_json)
        return 0
    from memoire.terminal import plain, views

    blocks = views.show_result(result)
    if sys.stdout.isatty():
        from memoire.terminal import rich_tables

        rich_tables.show(blocks, sys.stdout)
    else:
        plain.show(blocks, sys.stdout)
    return 0


def _operation(command: str, given: list[str]) -> int:
    from memoire.sdk import Memoire
    from memoire.terminal import arguments

    operation = arguments.operations()[command]
    parser = arguments.Parser.of(command, operation.description)
    parser.add_schema(operation.input_schema)
    options = parser.parse(given)
    asked = arguments.to_arguments(options, operation.input_schema)
    root = _root(options.root)
    for name in {"path", "prefix"} & asked.keys() if not options.root else ():
        asked[name] = arguments.from_root(root, asked[name])
    return _show(Memoire(root).call(operation.name, **asked), as_json=options.json)


def _init(given: list[str]) -> int:
    from functools import partial

    from memoire import paths, setup
    from memoire.terminal import arguments, setting_up

    options = setting_up.init_parser(_summary("init")).parse(given)
    clients = setting_up.chosen(options)
    root = "" if options.user else setup.find_root(arguments.folder(options.root))
    work = partial(setup.init, root, force=options.force) if root else setup.init_user
    actions = work(dry_run=True, clients=clients)
    # Nobody is asked where nobody could answer: a script that says `init` means it, and uninstall takes it all back.
    if sys.stdin.isatty() and not options.json and setting_up.must_ask(options, actions):
        _show(setting_up.summary(actions, is_done=False), as_json=False)
        question = f"Set up {root}?" if root else "Tell your assistants about memoire, for all your projects?"
        if not setting_up.confirm(question, sys.stdin, sys.stdout):
            return 1
    if not options.dry_run:
        actions = work(clients=clients)
    result = setting_up.result(root, actions, is_dry=options.dry_run)
    status = setting_up.status(actions)
    if not options.json:
        _show(setting_up.summary(actions, is_done=not options.dry_run), as_json=False)
    if root and not options.dry_run and not paths.is_initialized(root):
        # Said by the actions: the folder cannot be written. Indexing would only say that `init` was not run.
        status = status or 1
    elif root and not options.dry_run and not options.no_index:
        result["index"], failed = _index(root, as_json=options.json)
        status = failed or status
    if options.json:
        _show(result, as_json=True)
    return status


def _index(root: str, *, as_json: bool) -> tuple[dict[str, object], int]:
    """Take the new project in, and show what that gave; return it and the exit status."""
    from memoire.terminal import ingest

    try:
        found = _ingest_visibly(root, as_json=as_json)
    except MemoireError as error:
        if not as_json:
            raise
        return {"error": {"code": error.code, "message": str(error)}}, error.exit_code
    if not as_json:
        sys.stdout.write("\n")
        _show(ingest.summary(found), as_json=False)
    return found, int(bool(found.get("failure")))


def _uninstall(given: list[str]) -> int:
    from functools import partial

    from memoire import paths, setup
    from memoire.terminal import arguments, setting_up

    options = setting_up.uninstall_parser(_summary("uninstall")).parse(given)
    root = "" if options.user else paths.find_root(arguments.folder(options.root))
    work = partial(setup.uninstall, root, purge=options.purge) if root else setup.uninstall_user
    actions = work(dry_run=True)
    if setting_up.must_ask(options, actions):
        _show(setting_up.summary(actions, is_done=False), as_json=False)
        question = f"Take memoire out of {root}?" if root else "Take back what `init --user` wrote?"
        if not setting_up.confirm(question, sys.stdin, sys.stdout):
            return 1
    result = setting_up.result(root, actions, is_dry=options.dry_run)  # while the project still says its id
    if not options.dry_run:
        actions = [action._replace(todo="") for action in work()]
        result = {**result, "actions": setting_up.rows(actions)}
    _show(result if options.json else setting_up.summary(actions, is_done=not options.dry_run), as_json=options.json)
    return setting_up.status(actions)


def _version(given: list[str]) -> int:
    from memoire.terminal import arguments

    return _write_version(as_json=arguments.Parser.of("version", _summary("version")).parse(given).json)


def _write_version(*, as_json: bool) -> int:
    sys.stdout.write(f'{{"version": "{__version__}"}}\n' if as_json else f"memoire {__version__}\n")
    return 0


def _hook(name: str) -> int:
    """Write the script of a shell.

    Raises:
        InvalidArgumentError: There is no such shell.
    """
    from memoire import shells

    if name in shells.NAMES:
        sys.stdout.write(shells.script(name))
        return 0
    from memoire.terminal import arguments

    known = ", ".join(shells.NAMES)
    raise InvalidArgumentError(name, f"there is no hook for it; there are {known}", arguments.near(name, shells.NAMES))


def _hook_command(given: list[str]) -> int:
    from memoire import shells
    from memoire.terminal import arguments

    parser = arguments.Parser.of("hook", _summary("hook"))
    parser.add_argument("name", metavar="SHELL", help=", ".join(shells.NAMES))
    options = parser.parse(given)
    if options.json and options.name in shells.NAMES:
        return _show({"shell": options.name, "script": shells.script(options.name)}, as_json=True)
    return _hook(options.name)


def _complete(words: list[str]) -> int:
    from memoire.terminal import completing

    sys.stdout.writelines(f"{word}\n" for word in completing.candidates(words, command_names(), _run))
    return 0


def _start(given: list[str]) -> int:
    from memoire.terminal import arguments, service

    options = arguments.Parser.of("start", _summary("start")).parse(given)
    return _show(service.start(_root(options.root)), as_json=options.json)


def _stop(given: list[str]) -> int:
    from memoire.terminal import arguments, service

    options = arguments.Parser.of("stop", _summary("stop")).parse(given)
    return _show(service.stop(_root(options.root)), as_json=options.json)


def _restart(given: list[str]) -> int:
    from memoire.terminal import arguments, service

    options = arguments.Parser.of("restart", _summary("restart")).parse(given)
    root = _root(options.root)
    was_running = service.stop(root, is_restart=True)["was_running"]
    return _show({**service.start(root), "was_running": was_running}, as_json=options.json)


def _status(given: list[str]) -> int:
    from memoire.terminal import arguments, service

    options = arguments.Parser.of("status", _summary("status")).parse(given)
    status = service.status(_root(options.root))
    _show(status, as_json=options.json)
    return EXIT_NOT_RUNNING if status["state"] == service.STOPPED else 0


def _logs(given: list[str]) -> int:
    import time

    from memoire.terminal import arguments, service
    from memoire.terminal.blocks import clean

    parser = arguments.Parser.of("logs", _summary("logs"))
    parser.add_argument(
        "-n", "--lines", type=arguments.whole_number, default=50, metavar="N", help="last lines to show (default: 50)"
    )
    parser.add_argument("-f", "--follow", action="store_true", help="go on with what is added, until interrupted")
    options = parser.parse(given)
    if options.json and options.follow:
        raise InvalidArgumentError("--json", "gives one document, and --follow has no end")
    path = service.log_file(_root(options.root))
    reader = service.LogReader(path)
    last = service.last_lines(path, options.lines)
    if options.json:
        return _show({"path": str(path), "lines": last}, as_json=True)
    sys.stdout.writelines(f"{clean(line)}\n" for line in last)
    while options.follow:
        sys.stdout.flush()
        time.sleep(service.FOLLOW_S)
        sys.stdout.writelines(f"{clean(line)}\n" for line in reader.new_lines())
    return 0


def _service(given: list[str]) -> int:
    from memoire import service_unit
    from memoire.terminal import arguments, service_steps

    parser = arguments.Parser.of("service", _summary("service"))
    parser.add_argument("action", choices=service_steps.ACTIONS, help="what to do about the service of this project")
    parser.add_argument("--dry-run", action="store_true", help="show what would be written and run, and do nothing")
    options = parser.parse(given)
    root = _root(options.root)
    if options.action == "status":
        found = service_unit.status(root)
        _show(dict(found), as_json=options.json)
        return EXIT_NOT_RUNNING if found["service"] == service_steps.ABSENT else 0
    work = service_unit.install if options.action == "install" else service_unit.uninstall
    step = work(root, dry_run=options.dry_run)
    _show(service_steps.summary(step, is_dry=options.dry_run), as_json=options.json)
    return service_steps.status(step)


def _ingest(given: list[str]) -> int:
    from memoire.terminal import arguments, ingest

    options = arguments.Parser.of("ingest", _summary("ingest")).parse(given)
    root = _root(options.root)
    result = _ingest_visibly(root, as_json=options.json)
    _show(result if options.json else ingest.summary(result), as_json=options.json)
    return 1 if result.get("failure") else 0


def _ingest_visibly(root: str, *, as_json: bool) -> dict[str, object]:
    """Take the project in, with a bar where a person looks on."""
    from memoire.terminal import ingest

    if as_json or not sys.stderr.isatty():
        return ingest.ingest(root)
    from memoire.terminal import rich_tables

    with rich_tables.ProgressBar() as bar:
        return ingest.ingest(root, bar)


def _doctor(given: list[str]) -> int:
    from memoire.terminal import arguments, doctor

    parser = arguments.Parser.of("doctor", _summary("doctor"))
    parser.add_argument(
        "--fix", action="store_true", help="mend what can be mended without harm, and say what that was"
    )
    options = parser.parse(given)
    folder = arguments.folder(options.root)
    result: dict[str, object] = {}
    if options.fix:
        from memoire.terminal import mending

        result["mended"] = [mended._asdict() for mended in mending.mend(folder)]
    findings = doctor.examine(folder)
    _show({**result, "checks": [finding._asdict() for finding in findings]}, as_json=options.json)
    return 1 if any(finding.state == doctor.FAILED for finding in findings) else 0


def _apart(command: str, given: list[str]) -> int:
    """Run a command that reads its own line, in a module of its own."""
    from memoire.terminal import graph_commands, machine_commands, notes_commands

    known = {**notes_commands.COMMANDS, **graph_commands.COMMANDS, **machine_commands.COMMANDS}
    outcome = known[command](command, _summary(command), given)
    if outcome.shown is not None:
        _show(outcome.shown, as_json=outcome.as_json)
    return outcome.status


def _summary(name: str) -> str:
    return _COMMANDS[name][0]


_COMMANDS = {
    "init": (
        "set up this project and the assistants in use: shows what it will write, asks, writes, indexes",
        _init,
    ),
    "uninstall": ("take back what `init` wrote, to the letter; notes stay", _uninstall),
    "ingest": ("read the whole project again; afterwards the watcher keeps up by itself", _ingest),
    "start": ("start the daemon; every command that needs it does so too", _start),
    "stop": ("let the daemon finish its work and end", _stop),
    "restart": ("stop the daemon and start it again", _restart),
    "status": ("whether the daemon runs, and what it has; exit code 3 if it does not run", _status),
    "service": ("let the system start the daemon at login: install, uninstall or status", _service),
    "logs": ("the end of the daemon's log", _logs),
    "export": (
        "every node and edge as JSON lines, to standard output or a file",
        lambda given: _apart("export", given),
    ),
    "graph show": (
        "a part of the graph for Mermaid, Graphviz or GraphML, or as a picture",
        lambda given: _apart("graph show", given),
    ),
    "notes export": (
        "all notes as a tree of Markdown files, or as JSON lines",
        lambda given: _apart("notes export", given),
    ),
    "notes import": (
        "takes in such exports, rules for assistants, decision records, other memories; writes with --apply",
        lambda given: _apart("notes import", given),
    ),
    "notes apply": (
        "makes the changes of a file of JSON lines, in order",
        lambda given: _apart("notes apply", given),
    ),
    "doctor": ("check whether everything works, and say what to do about what does not", _doctor),
    "hook": (
        "what makes a shell report the commands run in a project; `claude-code`: Claude Code runs it",
        _hook_command,
    ),
    "completion": (
        "what makes a shell complete the commands and options of memoire",
        lambda given: _apart("completion", given),
    ),
    "upgrade-check": (
        "whether daemon, hooks and PATH have this version; nothing is asked over a network",
        lambda given: _apart("upgrade-check", given),
    ),
    "version": ("the version", _version),
}
"""Name -> (what it does, function)."""
