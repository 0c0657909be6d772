"""Random documents have the tables that cmark-gfm renders and pandas reads."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("lxml")

from benchmarks.differential import Difference, compare, make_document

_DOCUMENTS = 400


def _differences(*, loose: bool) -> list[Difference]:
    chance = random.Random(7)
    documents = (make_document(chance, loose=loose) for _ in range(_DOCUMENTS))
    return [one for text in documents for one in compare(text)]


def test_tables_between_blank_lines_are_read_alike() -> None:
    assert _differences(loose=False) == []


def test_few_documents_with_lines_that_leave_their_block_are_read_differently() -> None:
    assert len(_differences(loose=True)) <= _DOCUMENTS // 100


def test_a_missing_table_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.differential.read_with_mdbench", lambda _text: [])
    (difference,) = compare("| a |\n|---|\n| 1 |\n")
    assert difference.expected == [[["a"], ["1"]]]
