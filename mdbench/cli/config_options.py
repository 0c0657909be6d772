"""The options of the command line that are about the configuration and the baseline."""

from __future__ import annotations

import argparse

from mdbench.cli.usage import show_examples
from mdbench.files.limits import read_size

SEVERITIES = ("error", "warning", "info")


def add_config(command: argparse.ArgumentParser) -> None:
    """Let a command be told its configuration file."""
    command.add_argument(
        "--config",
        metavar="FILE",
        help="the settings (default: the nearest mdbench.toml, or pyproject.toml with "
        "[tool.mdbench], from this folder upwards)",
    )
    command.add_argument(
        "--force-exclude",
        action="store_true",
        help="leave out what the settings exclude even if it is named here",
    )
    command.add_argument(
        "--max-file-size",
        type=_size,
        metavar="SIZE",
        help="the largest report to read, as 512KiB; a larger one is MB001 (default: 20MB)",
    )


def _size(text: str) -> str:
    if not read_size(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no size above 0, as 20MB")
    return text


def add_choice(command: argparse.ArgumentParser) -> None:
    """Let a command be told which rules count, and how much."""
    command.add_argument(
        "--select", action="append", metavar="CODES", help="only these, as MB301 or MB3,MB4"
    )
    command.add_argument("--ignore", action="append", metavar="CODES", help="all but these")
    command.add_argument(
        "--fail-on",
        choices=SEVERITIES,
        help="what makes the exit code 1 (default: warning, and what is worse)",
    )


def add_baseline(command: argparse.ArgumentParser) -> None:
    """Let a command know what is known already."""
    which = command.add_mutually_exclusive_group()
    which.add_argument(
        "--baseline",
        metavar="FILE",
        help="findings that are known and not shown (default: .mdbench-baseline.json beside the "
        "settings or in this folder)",
    )
    which.add_argument("--no-baseline", action="store_true", help="show the known ones too")
    command.add_argument(
        "--write-baseline",
        action="store_true",
        help="record what is found now as known, and drop what no longer occurs",
    )


def add_config_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`mdbench config`."""
    command = commands.add_parser(
        "config",
        help="the settings in force, and where each comes from",
        description="Print the settings that `lint` with the same options would use, each with "
        "where it comes from: the default, a file and key, or the command line.",
        epilog=show_examples("mdbench config", "mdbench config --schema > mdbench.schema.json"),
    )
    command.add_argument("paths", nargs="*", metavar="PATH", help="as for lint")
    add_choice(command)
    command.add_argument(
        "--schema", action="store_true", help="print the JSON schema of mdbench.toml instead"
    )
