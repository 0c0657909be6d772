"""reports/ contains the unchanged data of the samples, line for line, with our own prose."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

NAMES = ("nanotron-nemo", "fugaku-1.3b", "bigscience-1b3", "fugaku-30b", "fmengine")
PROJECT = Path(__file__).resolve().parent.parent.parent

CODE = re.compile(r"`[^`]*`")
TARGET = re.compile(r"\]\([^)]*\)")
ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s")
WORD = re.compile(r"(?<![\w/])[a-z]+(?![\w/])")
NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Line(NamedTuple):
    """One line of a report: `data` is kept as is, everything else is rephrased."""

    number: int
    text: str
    data: bool


def is_data(text: str) -> bool:
    """Tables, headings, charts, settings and formulas are data; sentences are not."""
    if not text or text[0] in "|#<":
        return True
    if ITEM.match(text):
        return "`" in text or not text.rstrip().endswith(".")
    return len(WORD.findall(CODE.sub("", text))) < 2


def read_lines(path: Path) -> list[Line]:
    lines: list[Line] = []
    fenced = False
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fence = text.startswith("```")
        lines.append(Line(number, text, fenced or fence or is_data(text)))
        fenced ^= fence
    return lines


@pytest.fixture(params=NAMES)
def pair(request: pytest.FixtureRequest, seeds: Path) -> tuple[list[Line], list[Line]]:
    """One of our reports and the sample it was made from."""
    name = f"{request.param}.md"
    return read_lines(PROJECT / "reports" / name), read_lines(seeds / name)


def test_the_folder_contains_only_these_reports() -> None:
    assert sorted(path.stem for path in (PROJECT / "reports").iterdir()) == sorted(NAMES)


def test_every_line_keeps_its_number(pair: tuple[list[Line], list[Line]]) -> None:
    ours, theirs = pair
    assert len(ours) == len(theirs)


def test_data_is_equal_character_for_character(pair: tuple[list[Line], list[Line]]) -> None:
    ours, theirs = pair
    kept = [line for line in theirs if line.data]
    assert kept
    assert [line for line in ours if line.data] == kept


def test_prose_states_the_same_facts(pair: tuple[list[Line], list[Line]]) -> None:
    for our, their in zip(*pair, strict=True):
        assert CODE.findall(our.text) == CODE.findall(their.text), our.number
        assert TARGET.findall(our.text) == TARGET.findall(their.text), our.number
        assert Counter(NUMBER.findall(our.text)) == Counter(NUMBER.findall(their.text)), our.number


def test_prose_is_in_our_own_words(pair: tuple[list[Line], list[Line]]) -> None:
    same = [our for our, their in zip(*pair, strict=True) if not our.data and our == their]
    assert same == []


def test_the_samples_have_both_kinds_of_lines(seeds: Path) -> None:
    lines = [line for name in NAMES for line in read_lines(seeds / f"{name}.md") if line.text]
    assert {line.data for line in lines} == {True, False}
