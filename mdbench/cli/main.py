"""The command line: which command, with what, and the exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from time import monotonic

from mdbench import __version__
from mdbench.cli.config_options import add_baseline, add_choice, add_config, add_config_command
from mdbench.cli.usage import Help, Parser, add_exact, add_loudness, show_examples
from mdbench.cluster.arguments import add_engine
from mdbench.errors import COULD_NOT_RUN, INTERRUPTED, OK, ProblemError, report_problem
from mdbench.files.notices import set_loudness, tell_step

_PATHS_HELP = (
    "files or folders (default: the paths of the settings, else reports/ where there is one, else "
    "this folder); - is stdin"
)
# The commands that may be told how to share out their work.
_SHARED_OUT = ("lint", "normalize")
# The commands that read reports, and so the settings.
_CONFIGURED = ("lint", "normalize", "render", "query", "diff", "columns", "config")
# Those that read them on their own, as what they say need not be checked again.
_READ_THEIR_OWN = ("lint", "clean")
# Those that tell about the others.
_ABOUT_COMMANDS = ("completion", "help")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and give its exit code."""
    arguments = _parse(argv)
    set_loudness(quiet=arguments.quiet, verbose=arguments.verbose)
    started = monotonic()
    try:
        code = _run(arguments)
    except ProblemError as problem:
        report_problem(str(problem))
        return COULD_NOT_RUN
    except BrokenPipeError:
        # The reader of a pipe has seen enough.
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    tell_step(f"{arguments.command}: done in {monotonic() - started:.2f} s, exit code {code}")
    return code


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    words = sys.argv[1:] if argv is None else list(argv)
    command = next((word for word in words if not word.startswith("-")), "")
    if command == "diff" and "--" in words:
        # argparse would not tell what stands before the two dashes from what stands behind them.
        at = words.index("--")
        arguments = _make_parser().parse_args(words[:at])
        arguments.paths = words[at + 1 :]
        return arguments
    return _make_parser(*words[:1]).parse_args(words)


def _run(arguments: argparse.Namespace) -> int:
    # Each command loads only what it needs: start-up time counts.
    module = import_module(f"mdbench.cli.commands.{arguments.command}")
    run: Callable[[argparse.Namespace], int] = getattr(module, f"run_{arguments.command}")
    if "config" not in arguments or arguments.command in _READ_THEIR_OWN:
        return run(arguments)
    from mdbench.config.loading import load_settings  # noqa: PLC0415

    settings = load_settings(arguments.config, force_exclude=arguments.force_exclude)
    arguments.settings = settings.ask(max_file_size=arguments.max_file_size)
    return run(arguments)


def _make_parser(asked: str = "") -> argparse.ArgumentParser:
    """What reads the command line; with only one of the commands where it is one that is asked."""
    parser: argparse.ArgumentParser = Parser(
        prog="mdbench",
        description="Read the benchmark tables of Markdown reports, check their arithmetic, and "
        "write them back clean. `mdbench help` lists what more there is to read.",
        epilog=show_examples(
            "mdbench lint reports/", "mdbench normalize -o runs.parquet", "mdbench help exit-codes"
        ),
    )
    parser.add_argument("--version", action="version", version=f"mdbench {__version__}")
    commands = parser.add_subparsers(
        prog="mdbench", dest="command", required=True, metavar="COMMAND"
    )
    # To make all of them takes longer than to read a report.
    wanted = [asked] if asked in _COMMANDS and asked not in _ABOUT_COMMANDS else _COMMANDS
    for name in wanted:
        _COMMANDS[name](commands)
    for name, command in commands.choices.items():
        if name in _SHARED_OUT:
            add_engine(command)
        if name in _CONFIGURED:
            add_config(command)
        if name in _ABOUT_COMMANDS:
            command.set_defaults(parser=parser)
        add_loudness(command)
        command.formatter_class = Help
    add_loudness(parser, top=True)
    parser.formatter_class = Help
    return parser


def _add_normalize(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "normalize",
        help="reports as one tidy frame",
        description="Read reports into one tidy frame, to standard output or a file.",
        epilog=show_examples(
            "mdbench normalize reports/ -o runs.parquet",
            "mdbench normalize --shape cells --format csv results.md",
        ),
    )
    command.add_argument("paths", nargs="*", metavar="PATH", help=_PATHS_HELP)
    command.add_argument(
        "--shape", choices=("runs", "cells"), default="runs", help="a row a run, or a row a cell"
    )
    command.add_argument(
        "--format",
        choices=("parquet", "arrow", "csv", "jsonl", "table"),
        help="default: by the name of the output file, else parquet; table is for reading",
    )
    add_exact(command)
    command.add_argument("-o", "--output", metavar="FILE", help="write here, whole or not at all")
    command.add_argument(
        "--jobs", type=_positive, metavar="N", help="processes (default: the cores)"
    )
    command.add_argument(
        "--stdin-filename", default="<stdin>", metavar="NAME", help="what to call standard input"
    )


def _add_query(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "query",
        help="ask the reports in SQL",
        description="Answer a question in SQL about all reports: `runs` has a row a run, `cells` "
        "a row a cell. Needs duckdb: pip install 'mdbench[query]'.",
        epilog=show_examples(
            'mdbench query "select nodes, tflops_per_device from runs where tp = 4"'
        ),
    )
    command.add_argument("sql", metavar="SQL", help="the question")
    command.add_argument("paths", nargs="*", metavar="PATH", help=_PATHS_HELP)
    command.add_argument(
        "--format",
        choices=("table", "csv", "json", "parquet", "markdown"),
        help="default: by the name of the output file, else table",
    )
    add_exact(command)
    command.add_argument("-o", "--output", metavar="FILE", help="write here, whole or not at all")
    command.add_argument(
        "--jobs", type=_positive, metavar="N", help="processes (default: the cores)"
    )
    command.add_argument(
        "--stdin-filename", default="<stdin>", metavar="NAME", help="what to call standard input"
    )


def _add_diff(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "diff",
        help="which measurements changed between two versions of reports",
        usage="mdbench diff [-h] [--format FORMAT] [-o FILE] [OLD] [NEW] [-- PATH ...]",
        description="Tell which measurements changed, appeared or vanished, run by run: exit 0 if "
        "none did, 1 if some did. A version is a file, a folder or a git revision; without NEW it "
        "is the files as they are, and without OLD too they are compared with HEAD.",
        epilog=show_examples("mdbench diff old.md new.md", "mdbench diff main..HEAD -- reports/"),
    )
    command.add_argument(
        "versions", nargs="*", metavar="VERSION", help="OLD and NEW, or revisions as OLD..NEW"
    )
    command.add_argument(
        "--format",
        choices=("text", "markdown", "json"),
        default="text",
        help="default: text; markdown is for a pull request",
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write here, whole or not at all")
    command.set_defaults(paths=[])


def _add_lint(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "lint",
        help="what does not add up in reports",
        description="Check reports: exit 0 if nothing was found, 1 if something was.",
        epilog=show_examples(
            "mdbench lint reports/ --select MB3,MB4",
            "mdbench lint results.md --fix --diff",
            "mdbench lint --format sarif -o mdbench.sarif",
        ),
    )
    command.add_argument("paths", nargs="*", metavar="PATH", help=_PATHS_HELP)
    command.add_argument(
        "--format",
        choices=("full", "concise", "json", "sarif", "github", "gitlab", "junit"),
        default="full",
        help="full and concise are for people, the others for programs (default: full)",
    )
    add_choice(command)
    add_baseline(command)
    command.add_argument(
        "--fix",
        action="store_true",
        help="fix what can be fixed without changing a measurement; the exit code, and what "
        "is shown, is about what is left. Standard input is fixed to standard output, and "
        "the findings go to standard error",
    )
    command.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff: also what changes a number or drops a row",
    )
    command.add_argument(
        "--diff",
        action="store_true",
        help="write nothing, show as a diff what --fix would change; exit 1 if anything",
    )
    command.add_argument(
        "--statistics", action="store_true", help="also count findings and verified numbers"
    )
    command.add_argument(
        "--no-cache",
        action="store_true",
        help="check every file, whatever is known of it from before, and remember nothing",
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write here, whole or not at all")
    command.add_argument(
        "--jobs", type=_positive, metavar="N", help="processes (default: the cores)"
    )
    command.add_argument(
        "--stdin-filename", default="<stdin>", metavar="NAME", help="what to call standard input"
    )


def _add_render(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "render",
        help="the same reports, clean",
        description="Write reports again, clean: every number, unit and note stays what it is.",
        epilog=show_examples(
            "mdbench render reports/ --check",
            "mdbench render reports/ -w",
            "mdbench render results.md --template report",
            "mdbench render reports/ --format html -o site/",
        ),
    )
    command.add_argument("paths", nargs="*", metavar="PATH", help=_PATHS_HELP)
    target = command.add_mutually_exclusive_group()
    target.add_argument("-w", "--write", action="store_true", help="write the files in place")
    target.add_argument("-o", "--output", metavar="FOLDER", help="write them into this folder")
    target.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 and name what -w would change"
    )
    command.add_argument("--format", choices=("markdown", "html"), default="markdown")
    command.add_argument(
        "--minimal",
        action=argparse.BooleanOptionalAction,
        help="leave a table alone that is clean already (default with -w and --check)",
    )
    command.add_argument(
        "--recompute", action="store_true", help="fill in derived cells that are missing"
    )
    command.add_argument(
        "--annotate", action="store_true", help="put findings as footnotes at their cells"
    )
    command.add_argument(
        "--template",
        metavar="NAME_OR_FILE",
        help="make another report of the data: report, table, or a template of yours",
    )
    command.add_argument(
        "--jobs", type=_positive, metavar="N", help="processes (default: the cores)"
    )
    command.add_argument(
        "--stdin-filename", default="<stdin>", metavar="NAME", help="what to call standard input"
    )


def _add_explain(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "explain",
        help="what a rule finds and why",
        description="Print what a rule finds, why it matters, an example and how it is fixed.",
        epilog=show_examples("mdbench explain MB302", "mdbench explain shifted-row"),
    )
    command.add_argument("code", metavar="CODE", help="the code or the name of a rule")


def _add_rules(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    commands.add_parser(
        "rules",
        help="the rules it checks",
        description="List the rules with their severity.",
        epilog=show_examples("mdbench rules"),
    )


def _add_columns(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "columns",
        help="the quantities it knows, or how a file's headers were understood",
        description="List quantities, units and spellings; with files, how each header was read.",
        epilog=show_examples("mdbench columns", "mdbench columns reports/fugaku-30b.md"),
    )
    command.add_argument("paths", nargs="*", metavar="FILE", help="reports to explain")
    command.add_argument(
        "--stdin-filename", default="<stdin>", metavar="NAME", help="what to call standard input"
    )


def _add_lsp(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "lsp",
        help="what an editor talks to while you write",
        description="Show findings, recomputed values and repairs in an editor while a report is "
        "written: a server of the Language Server Protocol, which the editor starts. Settings are "
        "those nearest to each document. Needs pygls: pip install 'mdbench[lsp]'.",
        epilog=show_examples("mdbench lsp --stdio", "mdbench lsp --tcp 127.0.0.1:2087"),
    )
    channel = command.add_mutually_exclusive_group()
    channel.add_argument(
        "--stdio", action="store_true", help="talk by standard input and output (default)"
    )
    channel.add_argument("--tcp", metavar="[HOST:]PORT", help="wait for one editor there instead")


def _add_clean(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "clean",
        help="remove what lint remembers",
        description="Remove the cache of this project, and any in this folder or below it.",
        epilog=show_examples("mdbench clean"),
    )
    command.add_argument("--config", metavar="FILE", help="the settings, as for lint")


def _add_completion(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "completion",
        help="what a shell needs to complete mdbench's commands and options",
        description="Print a script that a shell loads; `mdbench help completion` says where to.",
        epilog=show_examples(
            'eval "$(mdbench completion bash)"',
            "mdbench completion fish > ~/.config/fish/completions/mdbench.fish",
        ),
    )
    command.add_argument("shell", choices=("bash", "zsh", "fish"), help="for which shell")


def _add_help(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "help",
        help="more to read: commands, rules and topics",
        description="Print a topic, the options of a command, or the page of a rule.",
        epilog=show_examples(
            "mdbench help", "mdbench help suppression", "mdbench help lint", "mdbench help MB301"
        ),
    )
    command.add_argument("topic", nargs="*", metavar="TOPIC", help="what to read about")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


_COMMANDS: dict[str, Callable[[argparse._SubParsersAction[argparse.ArgumentParser]], None]] = {
    "lint": _add_lint,
    "normalize": _add_normalize,
    "render": _add_render,
    "query": _add_query,
    "diff": _add_diff,
    "explain": _add_explain,
    "rules": _add_rules,
    "columns": _add_columns,
    "lsp": _add_lsp,
    "clean": _add_clean,
    "completion": _add_completion,
    "help": _add_help,
    "config": add_config_command,
}
