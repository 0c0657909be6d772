"""Language server for editors. The only package that imports pygls and lsprotocol."""

from __future__ import annotations

from typing import NamedTuple

from mdbench.files.errors import ProblemError
from mdbench.installing import how_to_install

_MISSING = "lsp needs pygls 2, which is not installed"


class Address(NamedTuple):
    """The address to listen on, if the editor does not use standard input and output."""

    host: str
    port: int


def serve(address: Address | None = None) -> None:
    """Serve an editor until it disconnects; raise `ProblemError` if that is impossible."""
    try:
        import pygls.lsp.server  # noqa: F401, PLC0415
    except ImportError as error:
        raise ProblemError(f"{_MISSING}; {how_to_install('lsp')}") from error
    from mdbench.lsp.server import run_server  # noqa: PLC0415 - needs pygls

    run_server(address)
