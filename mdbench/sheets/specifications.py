"""Data sheets: what a device can do at best is not what was measured on it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdbench.numerals.numeral import Form
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.qualifiers import take_settings
from mdbench.vocabulary.quantities import Vocabulary, quantity

_SPECIFIED = lazy(r"\b(?:theoretical|specs?|specifications?|data ?sheet|spec'd)\b", re.IGNORECASE)
_IN_THEORY = lazy(r"\btheor(?:y|etical)\b", re.IGNORECASE)
_MEANT = {"tflops_per_device": "peak_tflops", "memory_mib": "device_memory_gb"}
_ENOUGH = 0.6
_MOST_LABELS = 32


def as_specified(
    headers: Sequence[Header],
    columns: Sequence[Cells],
    captions: Sequence[str],
    vocabulary: Vocabulary,
) -> tuple[Header, ...]:
    """The headers of a table of devices, whose text says that it is about their specifications."""
    if not any(map(_SPECIFIED.search, captions)) or not _lists_devices(columns, vocabulary):
        return tuple(headers)
    named = [_IN_THEORY.search(header.text) is not None for header in headers]
    return tuple(
        # Beside what is possible in theory, the others were measured.
        header._replace(quantity=quantity(_MEANT[header.quantity.name]), statistic="")
        if header.quantity is not None
        and header.quantity.name in _MEANT
        and (alone if any(named) else not header.statistic)
        else header
        for header, alone in zip(headers, named, strict=True)
    )


def _lists_devices(columns: Sequence[Cells], vocabulary: Vocabulary) -> bool:
    labels = [cell for cell in columns[0] if cell.form in (Form.TEXT, Form.COUNT)][:_MOST_LABELS]
    named = sum(
        any(name == "device" for name, _ in take_settings(cell.text, vocabulary)[1])
        for cell in labels
    )
    return bool(labels) and named >= _ENOUGH * len(labels)
