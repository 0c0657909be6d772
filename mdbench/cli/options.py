"""Options that several commands share, and parsed arguments as typed options."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, NoReturn, TypeVar

from mdbench.cluster import PARTITION_SIZE, ClusterOptions, Size, read_amount
from mdbench.files.console import Console
from mdbench.files.errors import COULD_NOT_RUN, printable
from mdbench.files.limits import read_size
from mdbench.files.nearest import find_nearest, hint

SEVERITIES = ("error", "warning", "info", "never")
COLORS = ("auto", "always", "never")

_Options = TypeVar("_Options", bound=tuple[Any, ...])
AddParser = Callable[..., "Parser"]
"""Adds a command: takes its name and the options of `Parser`."""


class Parser(argparse.ArgumentParser):
    """A parser that can list its arguments, with examples at the end of its help."""

    def __init__(self, *, summary: str = "", examples: Sequence[str] = (), **options: Any) -> None:
        self.summary = summary
        self.examples = examples
        self.arguments: list[argparse.Action] = []
        self.commands: dict[str, Parser] = {}
        # Without a width, argparse measures the terminal for each argument, and loads shutil.
        super().__init__(formatter_class=partial(argparse.HelpFormatter, width=80), **options)

    def add_argument(self, *names: Any, group: Any = None, **options: Any) -> argparse.Action:
        """Add an argument, to a group if one is given; `arguments` lists them all."""
        if options.get("choices") and "type" not in options:
            options["type"] = partial(_one_of, options["choices"])
        add = super().add_argument if group is None else group.add_argument
        action: argparse.Action = add(*names, **options)
        self.arguments.append(action)
        return action

    def format_help(self) -> str:
        """The help as argparse has it, and the examples."""
        examples = "".join(f"  {line}\n" for line in self.examples)
        return f"{super().format_help()}\nexamples:\n{examples}"

    @property
    def synopsis(self) -> str:
        """The usage in one line."""
        if self.commands:
            return f"{self.prog} COMMAND ..."
        words = [f"{self.prog} [OPTION ...]"]
        for one in self.arguments:
            if not one.option_strings:
                name = str(one.metavar or one.dest.upper())
                words.append({"*": f"[{name} ...]", "+": f"{name} ..."}.get(str(one.nargs), name))
        return " ".join(words)

    def error(self, message: str) -> NoReturn:
        """Exit with two lines: the usage, and the error, which may quote any file name."""
        lines = f"usage: {self.synopsis}\n{self.prog}: error: {printable(message)}\n"
        self.exit(COULD_NOT_RUN, lines)

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """Exit because of words that this command does not take, naming the nearest option."""
        wrong = next((word for word in words if word.startswith("-")), words[0])
        name = wrong.partition("=")[0]
        if not name.startswith("-"):
            self.error(f"unexpected argument {name}")
        known = chain.from_iterable(one.option_strings for one in self.arguments)
        near = find_nearest(name.lstrip("-"), (one.lstrip("-") for one in known))
        told = f"; did you mean --{near}?" if near else f"; `{self.prog} --help` lists them"
        self.error(f"no option {name}{told}")


class ConfigOptions(NamedTuple):
    """Which configuration counts."""

    config: str | None
    isolated: bool
    force_exclude: bool
    max_file_size: str | None
    timeout_per_file: float | None


_GROUPS: dict[str, Any] = {
    "configuration": ConfigOptions,
    "cluster": ClusterOptions,
    "console": Console,
}


def set_run(parser: Parser, options: type[_Options], run: Callable[[_Options], int]) -> None:
    """Let a command be run with its typed options, of which the parsed arguments have the names."""
    parser.set_defaults(run=lambda given: run(_convert(options, given)))


def _convert(options: Any, given: argparse.Namespace) -> Any:
    return options(
        **{
            name: _convert(_GROUPS[name], given) if name in _GROUPS else getattr(given, name)
            for name in options._fields
        }
    )


def add_paths(
    parser: Parser, default: str = "reports/ if it exists, else the current folder"
) -> None:
    """The reports to read."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help=f"files or folders (default: the configured paths, else {default}); - is standard "
        "input",
    )


def add_format(
    parser: Parser, choices: Sequence[str], default: str | None = None, *, help_text: str
) -> None:
    """The output format, by either of its names."""
    parser.add_argument(
        "--format", "--output-format", choices=choices, default=default, help=help_text
    )


def add_color(parser: Parser) -> None:
    """Whether the output is colored."""
    parser.add_argument(
        "--color",
        choices=COLORS,
        default="auto",
        help="color the output: auto on a terminal, unless NO_COLOR or FORCE_COLOR is set "
        "(default: auto)",
    )


def add_output(parser: Parser) -> None:
    """A file to write to."""
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to this file, completely or not at all"
    )


def add_jobs(parser: Parser) -> None:
    """The number of processes."""
    parser.add_argument(
        "--jobs",
        type=_positive,
        metavar="N",
        help="number of processes (default: one per core)",
    )


def add_stdin_filename(parser: Parser) -> None:
    """The name of standard input."""
    parser.add_argument(
        "--stdin-filename",
        default="<stdin>",
        metavar="NAME",
        help="file name to use for standard input",
    )


def add_exact_csv(parser: Parser) -> None:
    """CSV for programs, not for a spreadsheet."""
    parser.add_argument(
        "--exact-csv",
        action="store_true",
        help="write text to CSV unchanged; by default, text that a spreadsheet would run as a "
        "formula is prefixed with an apostrophe",
    )


def add_selection(parser: Parser) -> None:
    """Which rules count, and how much."""
    parser.add_argument(
        "--select",
        action="append",
        metavar="CODES",
        help="check only these rules, by code, start of a code or name, such as MB301 or "
        "MB3,shifted-row; ALL is all rules",
    )
    parser.add_argument(
        "--ignore", action="append", metavar="CODES", help="check all rules except these"
    )
    parser.add_argument(
        "--extend-select",
        action="append",
        metavar="CODES",
        help="check these rules too, in addition to those of the configuration or --select",
    )
    group = parser.add_mutually_exclusive_group()
    parser.add_argument(
        "--fail-on",
        group=group,
        choices=SEVERITIES,
        help="lowest severity that makes the exit code 1 (default: warning)",
    )
    parser.add_argument(
        "--exit-zero",
        group=group,
        dest="fail_on",
        action="store_const",
        const="never",
        help="exit code 0 even if there are findings, like --fail-on never; errors are still 2",
    )


def add_config(parser: Parser) -> None:
    """The configuration file, and what it says of files."""
    group = parser.add_mutually_exclusive_group()
    parser.add_argument(
        "--config",
        group=group,
        metavar="FILE",
        help="configuration file for all reports (default: for each report the nearest "
        "mdbench.toml, or pyproject.toml with [tool.mdbench], in its folder or above)",
    )
    parser.add_argument(
        "--isolated", group=group, action="store_true", help="use no configuration file"
    )
    parser.add_argument(
        "--force-exclude",
        action="store_true",
        help="exclude files that match the configured patterns even if they are named here",
    )
    parser.add_argument(
        "--max-file-size",
        type=_size,
        metavar="SIZE",
        help="largest report to read, such as 512KiB; larger ones are MB001 (default: 20MB)",
    )
    parser.add_argument(
        "--timeout-per-file",
        type=_seconds,
        metavar="SECONDS",
        help="longest time for one report; slower ones are MB001 (default: 30; 0: no limit)",
    )


def add_cluster(parser: Parser) -> None:
    """Work on a cluster, over datasets of files."""
    group = parser.add_argument_group("clusters")
    parser.add_argument(
        "--engine",
        group=group,
        choices=("local", "dask"),
        default="local",
        help="dask runs on a cluster: PATH may also be a parquet dataset of files, or any address "
        "or pattern that fsspec supports; -o is a folder of parquet files, and partitions that "
        "it already has are reused (default: local). Requires the extra `dask`",
    )
    parser.add_argument(
        "--scheduler",
        group=group,
        metavar="ADDRESS",
        help="address of the cluster, such as tcp://host:8786 (default: a local cluster of --jobs "
        "processes for this run)",
    )
    parser.add_argument(
        "--path-column",
        group=group,
        metavar="NAME",
        help="column of a dataset with the file name; several, such as repo,path, are joined by / "
        "(default: path, or the first column with a similar name)",
    )
    parser.add_argument(
        "--content-column",
        group=group,
        metavar="NAME",
        help="column with the text (default: content, or the first column with a similar name)",
    )
    parser.add_argument(
        "--partition-size",
        group=group,
        type=_amount,
        metavar="SIZE",
        help="size of a partition: files, such as 5000, or bytes, such as 64MB "
        f"(default: {PARTITION_SIZE})",
    )


def add_verbosity(parser: Parser, *, top: bool = False) -> None:
    """`--quiet` and `--verbose`, before the command or after it."""
    default = False if top else argparse.SUPPRESS
    group = parser.add_mutually_exclusive_group()
    parser.add_argument(
        "-q",
        "--quiet",
        group=group,
        action="store_true",
        default=default,
        help="print results and errors only: no summary, no progress",
    )
    parser.add_argument(
        "-v",
        "--verbose",
        group=group,
        action="store_true",
        default=default,
        help="also print each step to standard error",
    )


def _one_of(choices: Sequence[str], text: str) -> str:
    if text not in choices:
        wrong = f"{text!r} is not one of {', '.join(choices)}{hint(text, choices)}"
        raise argparse.ArgumentTypeError(wrong)
    return text


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive integer")
    return int(text)


def _size(text: str) -> str:
    if not read_size(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size, such as 20MB")
    return text


def _seconds(text: str) -> float:
    if not text.replace(".", "", 1).isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds, such as 30")
    return float(text)


def _amount(text: str) -> Size:
    try:
        return read_amount(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
