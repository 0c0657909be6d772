"""`mdbench lsp`: what an editor talks to while a report is written."""

from __future__ import annotations

import argparse
import sys

from mdbench.errors import OK, ProblemError, report_problem
from mdbench.files.notices import is_quiet
from mdbench.lsp import Address, serve

_HERE = "127.0.0.1"
_LAST_PORT = 65535


def run_lsp(arguments: argparse.Namespace) -> int:
    """Answer one editor until it goes away."""
    address = None if arguments.tcp is None else _read_address(arguments.tcp)
    if address is None and (sys.stdin is None or sys.stdout is None):
        raise ProblemError("lsp talks by standard input and output, and there is none; say --tcp")
    if address is None and sys.stdin.isatty() and not is_quiet():
        report_problem("lsp is for editors: it waits for one on standard input; Ctrl-C ends it")
    serve(address)
    return OK


def _read_address(asked: str) -> Address:
    host, _, port = asked.rpartition(":")
    if not port.isascii() or not port.isdecimal() or not 0 < int(port) <= _LAST_PORT:
        raise ProblemError(f"--tcp {asked}: is no port, as 2087, or host and port, as {_HERE}:2087")
    return Address(host.strip("[]") or _HERE, int(port))
