"""Columns of words and of scores that their headers do not explain, but their place does."""

from __future__ import annotations

from collections.abc import Sequence

from mdbench.numerals.numeral import Form, Numeral
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Role, quantity

_ENOUGH = 0.6
_WORDY = 5
_LARGEST_SCORE = 100


def name_labels(
    headers: Sequence[Header], columns: Sequence[Sequence[Numeral]]
) -> tuple[Header, ...]:
    """The headers, with what the place of a column says of it.

    A first column of words names the rows. Sentences are notes. Bare numbers up to 100 between the
    scores of benchmarks are scores.
    """
    scored = sum(map(_is_benchmark, headers))
    return tuple(
        header
        if header.quantity is not None or header.candidates or header.statistic
        else _name(header, cells, at == 0, scored)
        for at, (header, cells) in enumerate(zip(headers, columns, strict=True))
    )


def _name(header: Header, cells: Sequence[Numeral], first: bool, scored: int) -> Header:
    filled = [cell for cell in cells if cell.form is not Form.NOTHING]
    words = [cell for cell in filled if cell.form is Form.TEXT]
    if filled and len(words) >= _ENOUGH * len(filled):
        if first:
            return header._replace(quantity=quantity("name"), why="the first column names the rows")
        if sum(len(cell.text.split()) for cell in words) >= _WORDY * len(words):
            return header._replace(quantity=quantity("notes"), why="its cells are sentences")
    if scored and header.text and filled and all(map(_may_be_score, filled)):
        settings = header.settings or (("benchmark", header.text),)
        return header._replace(
            quantity=quantity("score"), settings=settings, why="a benchmark, as those beside it"
        )
    return header


def _is_benchmark(header: Header) -> bool:
    one = header.quantity
    named = any(name == "benchmark" for name, _ in header.settings)
    return one is not None and one.role is Role.SCORE and named


def _may_be_score(cell: Numeral) -> bool:
    if cell.form not in (Form.NUMBER, Form.NOTHING) or cell.unit not in ("", "%"):
        return False
    return cell.value is None or 0 <= cell.value <= _LARGEST_SCORE
