"""For Python: a report as text in, findings or text out. Nothing here reads or writes a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike, fspath

from mdbench.config.loading import load_settings
from mdbench.lint.checker import Options, check
from mdbench.lint.fixer import fix as fix_source
from mdbench.lint.selection import Selection, is_code
from mdbench.render.markdown import Rendering, render_markdown
from mdbench.rules.findings import Finding, Safety
from mdbench.source import as_source
from mdbench.vocabulary.extensions import speaking

_NAME = "<text>"


def lint(
    text: str, *, select: Iterable[str] = (), ignore: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """Everything there is to say about a report, in the order of its text.

    `select` and `ignore` are codes or beginnings of codes, as on the command line.
    """
    return check(as_source(text, _NAME), Options(Selection(_codes(select), _codes(ignore))))


def fix(text: str, *, unsafe: bool = False) -> str:
    """The report, mended as far as no measurement changes, which is proved.

    With `unsafe` also where a number changes, if there is one repair and not two.
    """
    allowed = Safety.UNSAFE if unsafe else Safety.SAFE
    return fix_source(as_source(text, _NAME), allowed=allowed).source.text


def render(
    text: str, *, minimal: bool = False, recompute: bool = False, annotate: bool = False
) -> str:
    """The same report, clean: every measurement stays what it is.

    `minimal` leaves a table alone that is clean already, `recompute` fills in derived cells that
    are missing, and `annotate` puts the findings as footnotes at their cells.
    """
    return render_markdown(as_source(text, _NAME), Rendering(minimal, recompute, annotate)).text


@contextmanager
def configured(path: str | PathLike[str]) -> Iterator[None]:
    """Read reports in the light of a configuration file, until the block ends.

    What it says of columns, quantities, relations, peaks and constants holds; which files and
    rules are wanted is for the caller to say. Raises `ProblemError` where something is wrong in it.
    """
    with speaking(load_settings(fspath(path)).dialect):
        yield


def _codes(asked: Iterable[str]) -> tuple[str, ...]:
    codes = (asked,) if isinstance(asked, str) else tuple(asked)
    for code in codes:
        if not is_code(code):
            raise ValueError(f"{code!r} is neither a code nor the beginning of one")
    return codes
