"""Sizes at the end of the names of benchmarks: `sort/64`, `sort/1024`, `BenchmarkSort/64-8`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import read_cell
from mdbench.regex import lazy
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import StatedSetting
from mdbench.vocabulary.quantities import Vocabulary

# Go appends the number of threads.
_SIZED = lazy(r"(?P<stem>[A-Za-z_][^\s/]{0,80})/(?P<size>\d{1,12})(?:-\d{1,4})?")
_NAMES = frozenset(("benchmark", "name"))
_SIZES = frozenset(("problem_size", "message_bytes"))
_FEWEST = 2

Stated = Mapping[int, tuple[StatedSetting, ...]]


def sizes_in_names(columns: Sequence[Column], stated: Stated, vocabulary: Vocabulary) -> Stated:
    """What is stated for each row, with the size in its name if several have the same stem."""
    known = {one.header.quantity.name for one in columns if one.header.quantity is not None}
    first = columns[0].header.quantity if columns else None
    if first is None or first.name not in _NAMES or known & _SIZES:
        return stated
    found = {
        one.run: match
        for one in columns[0].mains
        if "/" in one.cell.raw and (match := _SIZED.fullmatch(plain_text(one.cell.raw)))
    }
    stems = Counter(match["stem"] for match in found.values())
    size = vocabulary.quantities["problem_size"]
    told = {
        run: (StatedSetting(size, read_cell(match["size"])[0], match["size"]),)
        for run, match in found.items()
        if stems[match["stem"]] >= _FEWEST
    }
    return {run: (*stated.get(run, ()), *told.get(run, ())) for run in {**stated, **told}}
