"""`mdbench lsp`: language server for editors."""

from __future__ import annotations

import sys
from typing import NamedTuple

from mdbench.cli.options import AddParser, set_run
from mdbench.files.console import Console
from mdbench.files.errors import OK, ProblemError, report_error
from mdbench.lsp import Address, serve

_HERE = "127.0.0.1"
_LAST_PORT = 65535


class LspOptions(NamedTuple):
    """The options of `lsp`."""

    tcp: str | None
    console: Console


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "lsp",
        summary="start the language server for editors",
        description="Show findings, recomputed values and fixes in an editor: a language server, "
        "which the editor starts. Each document has the settings of the nearest configuration "
        "file. Requires the extra `lsp`.",
        examples=("mdbench lsp --stdio", "mdbench lsp --tcp 127.0.0.1:2087"),
    )
    channel = parser.add_mutually_exclusive_group()
    parser.add_argument(
        "--stdio",
        group=channel,
        action="store_true",
        help="use standard input and output (default)",
    )
    parser.add_argument(
        "--tcp", group=channel, metavar="[HOST:]PORT", help="wait for one editor on this port"
    )
    set_run(parser, LspOptions, run)


def run(options: LspOptions) -> int:
    """Serve one editor until it disconnects."""
    address = None if options.tcp is None else _read_address(options.tcp)
    if address is None and (sys.stdin is None or sys.stdout is None):
        raise ProblemError("lsp needs standard input and output, which are closed; use --tcp")
    if address is None and sys.stdin.isatty() and not options.console.quiet:
        report_error("lsp is for editors: it waits for one on standard input; press Ctrl-C to stop")
    serve(address)
    return OK


def _read_address(asked: str) -> Address:
    host, _, port = asked.rpartition(":")
    if not port.isascii() or not port.isdecimal() or not 0 < int(port) <= _LAST_PORT:
        raise ProblemError(
            f"--tcp {asked}: not a port, such as 2087, or host and port, such as {_HERE}:2087"
        )
    return Address(host.strip("[]") or _HERE, int(port))
