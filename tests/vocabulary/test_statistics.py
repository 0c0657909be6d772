"""Statistics in headers, in the languages of reports."""

from __future__ import annotations

import pytest

from mdbench.vocabulary.headers import read_header
from mdbench.vocabulary.quantities import standard_vocabulary
from mdbench.vocabulary.statistics import statistic_of, take_statistic

STANDARD = standard_vocabulary()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mean", "mean"),
        ("Avg.", "mean"),
        ("Moyenne", "mean"),
        ("Durchschnitt", "mean"),
        ("Promedio", "mean"),
        ("Среднее", "mean"),
        ("平均", "mean"),
        ("평균", "mean"),
        ("Geometric mean", "geomean"),
        ("Médiane", "median"),
        ("p99", "p99"),
        ("P99.9", "p99.9"),
        ("99%", "p99"),
        ("95th percentile", "p95"),
        ("Std Dev", "std"),
        ("\u03c3", "std"),
        ("標準偏差", "std"),
        ("95% CI", "ci"),
        ("IQR", "iqr"),
        ("Gesamt", "total"),
    ],
)
def test_a_word_is_a_statistic(text: str, name: str) -> None:
    assert statistic_of(text) == name
    assert read_header(text, STANDARD).statistic == name


@pytest.mark.parametrize("text", ["Max length", "12%", "Best", "Means of transport", "Error"])
def test_other_words_are_none(text: str) -> None:
    assert statistic_of(text) == ""


@pytest.mark.parametrize(
    ("text", "rest", "name"),
    [
        ("Latency P90", "Latency", "p90"),
        ("Warm total med", "Warm total", "median"),
        ("Total time", "time", "total"),
        ("最大时延", "时延", "max"),
        ("요청 평균시간", "요청 시간", "mean"),
        ("Standard deviation of time", "of time", "std"),
    ],
)
def test_a_statistic_is_taken_from_a_header(text: str, rest: str, name: str) -> None:
    assert take_statistic(text) == (rest, name)


@pytest.mark.parametrize(
    ("text", "unit", "statistic"),
    [("FTL(min)(s)", "s", "min"), ("FTL(max)(s)", "s", "max"), ("Time (min)", "min", "min")],
)
def test_min_is_no_minute_where_another_unit_is_told(text: str, unit: str, statistic: str) -> None:
    header = read_header(text, STANDARD)
    assert header.unit is not None
    assert (header.unit.text, header.statistic) == (unit, statistic)
