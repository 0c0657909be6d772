"""What mdbench relies on in markdown-it-py, so that incompatible versions fail here."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from mdbench.markdown.block_rules import RULES

TEXT = "> - text\n>   more\n"


def test_the_parser_has_the_replaced_rules_in_order() -> None:
    ruler = MarkdownIt("commonmark").enable("table").block.ruler
    assert ruler.get_all_rules() == list(RULES)


@pytest.mark.parametrize("name", ["", "paragraph", "reference", "blockquote", "list"])
def test_the_rules_interrupt_the_same_blocks_as_in_the_parser(name: str) -> None:
    parser = MarkdownIt("commonmark").enable("table")
    standard = len(parser.block.ruler.getRules(name))
    for rule, (function, interrupted) in RULES.items():
        parser.block.ruler.at(rule, function, {"alt": interrupted.split()})
    assert len(parser.block.ruler.getRules(name)) == standard


def test_a_rule_knows_where_the_text_of_a_line_starts() -> None:
    seen: list[tuple[int, int]] = []
    parser = MarkdownIt("commonmark")

    def look(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
        if not silent:
            seen.append((state.bMarks[start] + state.tShift[start], state.eMarks[start]))
        return False

    parser.block.ruler.before("paragraph", "look", look)
    parser.parse(TEXT)
    assert seen == [(TEXT.index("text"), TEXT.index("\n"))]
