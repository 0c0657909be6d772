"""What an editor asks for while a report is written. The only door to pygls and lsprotocol."""

from __future__ import annotations

from typing import NamedTuple

from mdbench.errors import ProblemError

_MISSING = "lsp needs pygls 2, which is not installed: pip install 'mdbench[lsp]'"


class Address(NamedTuple):
    """Where to wait for an editor that does not talk by standard input and output."""

    host: str
    port: int


def serve(address: Address | None = None) -> None:
    """Answer an editor until it goes away; `ProblemError` says why that cannot be."""
    try:
        import pygls.lsp.server  # noqa: F401, PLC0415
    except ImportError as error:
        raise ProblemError(_MISSING) from error
    from mdbench.lsp.server import run_server  # noqa: PLC0415 - needs pygls

    run_server(address)
