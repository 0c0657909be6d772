"""The text of a report survives byte for byte, and offsets are lines and columns."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.source import Edit, Position, Source, SourceError, Span

TEXTS = st.text(st.one_of(st.sampled_from("\r\n|a\u2028\x0b\x85"), st.characters(codec="utf-8")))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"a\nb\n", id="LF"),
        pytest.param(b"a\r\nb\r\n", id="CRLF"),
        pytest.param(b"a\rb\r", id="CR"),
        pytest.param(b"a\r\nb\nc\rd\n\r\n\r\r\n", id="mixed endings"),
        pytest.param(b"a", id="no ending"),
        pytest.param(b"", id="empty"),
        pytest.param(b"\xef\xbb\xbfa\n", id="byte-order mark"),
        pytest.param(b"\xef\xbb\xbf", id="only a byte-order mark"),
        pytest.param(b"\xef\xbb\xbf\xef\xbb\xbfa", id="two byte-order marks"),
        pytest.param("1itrのみ ±5 µs\n".encode(), id="beyond ASCII"),
    ],
)
def test_bytes_come_back_as_they_were(data: bytes) -> None:
    assert Source.from_bytes("report.md", data).to_bytes() == data


@given(TEXTS, st.booleans())
def test_any_text_comes_back_as_it_was(text: str, bom: bool) -> None:
    data = (b"\xef\xbb\xbf" if bom else b"") + text.replace("\0", "").encode()
    assert Source.from_bytes("report.md", data).to_bytes() == data


def test_the_byte_order_mark_counts_in_no_offset() -> None:
    source = Source.from_bytes("report.md", b"\xef\xbb\xbf# a")
    assert (source.text, source.bom) == ("# a", True)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param("a".encode("utf-16"), "UTF-16", id="UTF-16 little end first"),
        pytest.param(b"\xfe\xff\x00a", "UTF-16", id="UTF-16 big end first"),
        pytest.param(b"a\r\nb\xe9\n", "byte 0xe9 on line 2", id="Latin-1"),
        pytest.param(b"a\n\nb\0\n", "NUL byte on line 3", id="NUL"),
        pytest.param(b"\xed\xa0\x80", "byte 0xed on line 1", id="surrogate"),
    ],
)
def test_what_is_not_text_is_refused_with_the_reason(data: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        Source.from_bytes("report.md", data)


@pytest.mark.parametrize(
    ("text", "offset", "position"),
    [
        pytest.param("ab\ncd", 0, (1, 1), id="the beginning"),
        pytest.param("ab\ncd", 2, (1, 3), id="a line's end"),
        pytest.param("ab\ncd", 3, (2, 1), id="a line's start"),
        pytest.param("ab\r\ncd", 3, (1, 4), id="inside CRLF"),
        pytest.param("ab\r\ncd", 4, (2, 1), id="behind CRLF"),
        pytest.param("a\rb\rc", 4, (3, 1), id="CR"),
        pytest.param("a\u2028b\x0bc", 4, (1, 5), id="what only looks like a line's end"),
        pytest.param("é😀x", 2, (1, 3), id="columns are code points"),
        pytest.param("a\n", 2, (2, 1), id="the end"),
        pytest.param("", 0, (1, 1), id="empty"),
    ],
)
def test_an_offset_is_a_line_and_a_column(
    text: str, offset: int, position: tuple[int, int]
) -> None:
    source = Source("report.md", text)
    assert source.position(offset) == Position(*position)
    assert source.line(offset) == position[0]


@given(TEXTS, st.data())
def test_a_position_leads_back_to_its_offset(text: str, data: st.DataObject) -> None:
    source = Source("report.md", text)
    offset = data.draw(st.integers(0, len(text)))
    line, column = source.position(offset)
    assert source.line_starts[line - 1] + column - 1 == offset


def test_a_line_is_shown_without_its_ending() -> None:
    source = Source("report.md", "a\r\nb\n\nc")
    assert [source.line_text(line) for line in range(1, 5)] == ["a", "b", "", "c"]


def test_edits_leave_everything_else_alone() -> None:
    source = Source.from_bytes("report.md", b"\xef\xbb\xbf| 1 |\r\n| 2 |\n")
    edited = source.edited([Edit(Span(9, 10), "22"), Edit(Span(2, 3), ""), Edit(Span(0, 0), ">")])
    assert edited.to_bytes() == b"\xef\xbb\xbf>|  |\r\n| 22 |\n"


def test_edits_that_overlap_are_refused() -> None:
    source = Source("report.md", "abcdef")
    with pytest.raises(ValueError, match="overlap at offset 2"):
        source.edited([Edit(Span(0, 3), "x"), Edit(Span(2, 4), "y")])


@given(TEXTS, st.lists(st.integers(0, 40)))
def test_putting_back_what_was_cut_changes_nothing(text: str, cuts: list[int]) -> None:
    source = Source("report.md", text)
    bounds = sorted({min(cut, len(text)) for cut in cuts})
    spans = [Span(*pair) for pair in pairwise(bounds)]
    assert source.edited(Edit(span, source.cut(span)) for span in spans) == source
