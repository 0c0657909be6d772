"""Plain reports are read without the parser, but with the same result."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdbench.markdown.block_rules import run_block_rules
from mdbench.markdown.plain import read_plain
from mdbench.markdown.recorder import Recorder

REPORTS = sorted((Path(__file__).resolve().parent.parent.parent / "reports").glob("*.md"))


def said(recorder: Recorder) -> tuple[object, ...]:
    return recorder.blocks, recorder.tables, recorder.sections


def is_plain(text: str) -> bool:
    """Whether a text is read; the result must be the same as the parser's."""
    plain = read_plain(text)
    if plain is None:
        return False
    assert said(plain) == said(run_block_rules(text)), text
    return True


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("# A\n\none\ntwo\n## B ##\n### C\n", id="headings and paragraphs"),
        pytest.param("####### one\n#two\n", id="hashes that are not a heading"),
        pytest.param("- a\n- b\n\n  more\n* c\n\n1. d\n2) e\n", id="lists"),
        pytest.param("- a\n  - b\n    - c\n- d\n    - e\n1. f\n   1. g\n", id="lists in lists"),
        pytest.param("- a\nlazy\n  words\n- b\n# End\n", id="continuation lines"),
        pytest.param("text\n- a\n1. b\n", id="a list that ends a paragraph"),
        pytest.param("```py\n# no\n\t- a\n```\n~~~\nopen", id="fences"),
        pytest.param("- a\n```\nb\n```\n", id="a fence that ends a list"),
        pytest.param("| a | b |\n|--|:-:|\n| 1 |\n2 | 3 | 4\n# End\n", id="tables"),
        pytest.param("text\n| a |\n|---|\n| 1 |\n- item\n", id="a table that ends a paragraph"),
        pytest.param("one\n\n---\n* * *\ntwo\n***\n", id="thematic breaks"),
        pytest.param("[one](two)\n\n[^1]: note\n- [x] done\n", id="brackets"),
        pytest.param("one  \n    two\n", id="an indented continuation line"),
    ],
)
def test_plain_text_does_not_need_the_parser(text: str) -> None:
    assert is_plain(text)
    assert is_plain(text.rstrip("\n"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("one\r\n", id="other line endings"),
        pytest.param("---\na: 1\n---\n", id="front matter"),
        pytest.param("> one\n", id="a quote"),
        pytest.param("<p>\n", id="html"),
        pytest.param("one\n<br>\n", id="html in a paragraph"),
        pytest.param("one\n===\n", id="an underlined title"),
        pytest.param("one\n---\n", id="an underlined title of level 2"),
        pytest.param("    one\n", id="indented code"),
        pytest.param("\tone\n", id="a tab"),
        pytest.param("[one]: two\n", id="a link definition"),
        pytest.param("-\n", id="an empty item"),
        pytest.param("- # a\n", id="a heading in an item"),
        pytest.param("- a\n\n  ```\n  b\n  ```\n", id="a fence in an item"),
        pytest.param("- a | b\n  --|--\n", id="a table in an item"),
        pytest.param("one\n2. two\n", id="a number that does not start a list"),
        pytest.param("| a |\n|---|\n|\n", id="a pipe alone"),
        pytest.param("| a |\n|---|\n  | 1 |\n", id="an indented row"),
        pytest.param("```a`b\n", id="code that is not a fence"),
        pytest.param("- " * 12 + "a\n", id="a deep list"),
    ],
)
def test_other_text_is_left_to_the_parser(text: str) -> None:
    assert not is_plain(text)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_reports_are_read_like_the_parser_does(path: Path) -> None:
    is_plain(path.read_text(encoding="utf-8"))


def test_corpus_reports_are_read_like_the_parser_or_not_at_all(corpus: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in corpus.rglob("*.md")]
    assert sum(map(is_plain, texts)) > len(texts) / 2


PIECES = st.sampled_from(
    """# h|## h2 ##|####### x|text|a ¦ b|¦ a ¦ b ¦|¦---¦---¦|---¦---|¦ --- ¦ :-: ¦|¦---¦|¦ a ¦|¦|¦¦|
    - item|* item|+ item|-|1. one|2. two|1) one|- [ ] task|- a ¦ b|- - x|- # h|- ```|```|```py|````|
    ~~~|---|***|* * *|- - -|===|=|--|[x]: y|[x](y)|[x|y]: z|[^1]: note|> q|<div>|**bold** text|
    `code` x|\\¦ a ¦ b ¦|¦ a \\¦ b ¦ c ¦|1.|-x|01. x|-    five|-     six|-\ttab|\xa0|¦\xa0¦|\x0b|
    :--|-¦-|::""".replace("\n", "")
    .replace("    ", "|")
    .split("|")
)
INDENTS = st.sampled_from(["", "", "", "", " ", "  ", "   ", "    ", "      ", "\t"])
LINES = st.tuples(INDENTS, PIECES, st.sampled_from(["", " "])).map("".join)


@settings(max_examples=max(400, settings().max_examples))
@given(st.lists(LINES | st.just(""), max_size=9))
def test_any_lines_are_read_like_the_parser_or_not_at_all(lines: list[str]) -> None:
    is_plain("\n".join(lines).replace("¦", "|"))


@settings(max_examples=max(150, settings().max_examples))
@given(st.text("#-*`|:>1. \t\nab[]", max_size=40))
def test_any_text_is_read_like_the_parser_or_not_at_all(text: str) -> None:
    is_plain(text)
