"""Patterns are compiled when they are first used, and are then what `re` makes."""

from __future__ import annotations

import re

import pytest

from mdbench.patterns import Pattern

TEXT = "12 nodes, 3 gpus"


@pytest.mark.parametrize("flags", [0, re.IGNORECASE])
def test_a_pattern_answers_as_a_compiled_one(flags: int) -> None:
    for _ in ("at first", "again"):
        mine, theirs = Pattern(r"(\d+) (N\w+)", flags), re.compile(r"(\d+) (N\w+)", flags)
        assert mine.findall(TEXT) == theirs.findall(TEXT)
        assert mine.sub(r"\2", TEXT) == theirs.sub(r"\2", TEXT)
        assert mine.split(TEXT) == theirs.split(TEXT)
        assert bool(mine.match(TEXT)) is bool(theirs.match(TEXT))
        assert bool(mine.search(TEXT, 3)) is bool(theirs.search(TEXT, 3))
        assert bool(mine.fullmatch("1 n2")) is bool(theirs.fullmatch("1 n2"))
        assert [one.span() for one in mine.finditer(TEXT)] == [
            one.span() for one in theirs.finditer(TEXT)
        ]
        assert (mine.pattern, mine.flags) == (theirs.pattern, theirs.flags)


def test_nothing_is_compiled_before_it_is_used() -> None:
    broken = Pattern("(")
    with pytest.raises(re.error, match="missing"):
        broken.match("")
    with pytest.raises(AttributeError):
        Pattern("a").matches  # type: ignore[attr-defined]  # noqa: B018
