"""The laws of a report in words, with their evidence."""

from __future__ import annotations

from mdbench.diagnosis.diagnosis import diagnose
from mdbench.diagnosis.told_laws import ToldLaw, list_laws
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

SPEEDUPS = """\
| Machine | Time (s) | Speedup |
|---------|---------:|--------:|
| laptop  |    81.04 |    1.00 |
| desktop |    41.17 |    1.97 |
| server  |    21.12 |    3.84 |
| cluster |    11.34 |    {} |
"""


def tell(text: str) -> tuple[ToldLaw, ...]:
    return list_laws(diagnose(read_report(Source("a.md", text), standard_vocabulary())))


def test_a_learned_law_is_told_once_with_its_rows() -> None:
    (law,) = tell(SPEEDUPS.format("7.51"))
    assert law[:4] == ("Speedup = Time (s) of laptop / Time (s)", "row", 2, 3)
    assert law.bits > 10


def test_tables_with_the_same_headers_are_counted_together() -> None:
    other = SPEEDUPS.replace("laptop ", "old one")
    (law,) = tell(f"{SPEEDUPS.format('7.15')}\n{other.format('7.15')}")
    assert law[:4] == ("Speedup = Time (s) of the baseline / Time (s)", "row", 6, 6)


def test_a_total_below_its_parts_is_counted_in_columns() -> None:
    table = "| Part | Old (s) | New (s) |\n|--|--|--|\n| Load | 12.4 | 3.2 |\n| Run | 7.7 | 5.5 |\n"
    (law,) = tell(f"{table}| Save | 1.2 | 2.2 |\n| Total | 21.3 | 10.9 |\n")
    assert law[:4] == ("Total = Load + Run + Save", "column", 2, 2)


def test_a_known_relation_is_told_in_the_words_of_the_report() -> None:
    table = "| GPUs | TP | DP |\n|--|--|--|\n| 8 | 2 | 4 |\n| 16 | 2 | 8 |\n| 32 | 4 | {} |\n"
    (law,) = tell(table.format(9))
    assert law[:4] == ("GPUs = DP × TP", "row", 2, 3)


def test_unrelated_numbers_follow_no_law() -> None:
    assert tell("| Alpha | Beta |\n|--|--|\n| 3.1 | 77 |\n| 2.7 | 12 |\n| 9.9 | 41 |\n") == ()
