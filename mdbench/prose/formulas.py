"""The formulas of a report: in notes on notation, inline code and shell one-liners."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from mdbench.markdown.document import Block, BlockKind, Document, TextLine
from mdbench.prose.arithmetic import LONGEST, parse_expression
from mdbench.prose.expressions import (
    Equation,
    Expression,
    Name,
    NumberLiteral,
    Operation,
    names,
    substitute,
)
from mdbench.prose.one_liners import find_one_liner
from mdbench.regex import lazy
from mdbench.source import Span
from mdbench.vocabulary.quantities import Quantity, Vocabulary, squash

_PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))
_TYPED = frozenset((BlockKind.FENCE, BlockKind.CODE))
_EQUALS = lazy(r"=(?<![=<>!:+*/^-]=)(?![=>~])")
_CODE = lazy(r"`(?<!``)([^`\n]{3,500})`(?!`)")
_SEAM = lazy(r"\s\(|[,;]\s|\.\s|\s(?:where|with|if|for|when|assuming|i\.e\.)\s")
_LEAD = lazy(r".*[:;]\s|.*\.\s+(?=[A-Z])")
_UNIT = lazy(r"(?:(?<!\s)\s+)?[(\[][^()\[\]]{1,24}[)\]]$")
_SHELL = lazy(r"^\s*(?:export\s+)?(?P<left>[A-Za-z_]\w*)=\"?\$\(\((?P<right>.*)\)\)\"?\s*$")
_TEX = lazy(r"\\(?:times|cdot)(?![A-Za-z])|\\(?=[*_])")
_MARKS = " \t`*_$"
_TYPED_HINTS = "'\"|<"
_END = ".,;:"
_LONGEST_NAME = 60
_MOST_WORDS = 6
_MOST_SEAMS = 8
_SHORTEST_VARIABLE = 3


class Formula(NamedTuple):
    """A formula as written. `left` is the name of its result, if stated.

    `bindings` has the values that a one-liner assigns to its variables: examples, or constants.
    """

    left: str | None
    expression: Expression
    span: Span
    block: Block
    bindings: Mapping[str, Decimal] = MappingProxyType({})


def collect_formulas(document: Document, vocabulary: Vocabulary) -> tuple[Formula, ...]:
    """Collect all formulas of a report, in the order of the text."""
    return tuple(
        formula
        for block in document.blocks
        if block.kind in _PROSE or block.kind in _TYPED
        for line in block.lines
        if len(line.text) <= 4 * LONGEST and _may_hold(block, line.text)
        for formula in _formulas_of_line(block, line, vocabulary)
    )


def _may_hold(block: Block, text: str) -> bool:
    """Whether a line has a character that every formula contains; most lines have none."""
    if "=" in text:
        return True
    return any(one in text for one in _TYPED_HINTS) if block.kind in _TYPED else "`" in text


def quantity_named(formula: Formula, name: str, vocabulary: Vocabulary) -> Quantity | None:
    """The quantity of a name in the formula, if it is in the vocabulary.

    In a one-liner, a variable of one or two letters may be anything.
    """
    terse = formula.left is None and len(name) < _SHORTEST_VARIABLE
    if terse and formula.block.kind in _TYPED and not vocabulary.is_option(name):
        return None
    return vocabulary.lookup(name)


def bind(
    formula: Formula, vocabulary: Vocabulary, meanings: Mapping[str, str] | None = None
) -> Equation | None:
    """The formula in terms of quantities; None if one of its names is unknown.

    `meanings` overrides the quantities of names; other names that the formula assigns a number to
    are constants. `left` is empty if the left side is unknown.
    """
    known = {squash(name): meaning for name, meaning in (meanings or {}).items()}
    parts: dict[str, Expression] = {}
    for name in names(formula.expression):
        if squash(name) in known:
            parts[name] = Name(known[squash(name)])
        elif name in formula.bindings:
            parts[name] = NumberLiteral(formula.bindings[name])
        else:
            quantity = quantity_named(formula, name, vocabulary)
            if quantity is None:
                return None
            parts[name] = Name(quantity.name)
    left = quantity_named(formula, formula.left, vocabulary) if formula.left else None
    named = known.get(squash(formula.left or ""), left.name if left is not None else "")
    return Equation(named, substitute(formula.expression, parts))


def _formulas_of_line(block: Block, line: TextLine, vocabulary: Vocabulary) -> Iterator[Formula]:
    if block.kind in _TYPED:
        formula = _one_liner(block, line, vocabulary) or _typed_equation(block, line, vocabulary)
        if formula is not None:
            yield formula
        return
    text = _TEX.sub(lambda found: "×".ljust(len(found[0])) if found[0][1:] else " ", line.text)
    if "=" in text:
        whole = _equation(block, TextLine(text, line.start), Span(0, len(text)), vocabulary)
        if whole is not None:
            yield whole
            return
    for code in _CODE.finditer(line.text):
        inner = _code(block, line, code, vocabulary)
        if inner is not None:
            yield inner


def _one_liner(block: Block, line: TextLine, vocabulary: Vocabulary) -> Formula | None:
    found = find_one_liner(line.text)
    if found is None:
        return None
    expression = parse_expression(found.text, vocabulary.knows)
    if expression is None or not names(expression):
        return None
    span = Span(line.start + found.span.start, line.start + found.span.end)
    return Formula(None, expression, span, block, found.bindings)


def _typed_equation(block: Block, line: TextLine, vocabulary: Vocabulary) -> Formula | None:
    """Read a line of a script that computes one known quantity from others."""
    shell = _SHELL.match(line.text)
    if shell is not None:
        return _formula(block, line, shell["left"], Span(*shell.span("right")), vocabulary)
    return _known_equation(block, line, Span(0, len(line.text)), vocabulary)


def _known_equation(
    block: Block, line: TextLine, within: Span, vocabulary: Vocabulary
) -> Formula | None:
    """Read `left = right` if all its names are known."""
    formula = _equation(block, line, within, vocabulary, only_known=True)
    return formula if formula is not None and _all_known(formula, vocabulary) else None


def _formula(
    block: Block, line: TextLine, left: str | None, right: Span, vocabulary: Vocabulary
) -> Formula | None:
    expression = parse_expression(line.text[right.start : right.end], vocabulary.knows)
    if not isinstance(expression, Operation):
        return None
    placed = Span(line.start + right.start, line.start + right.end)
    formula = Formula(left, expression, placed, block)
    return formula if _all_known(formula, vocabulary) else None


def _code(
    block: Block, line: TextLine, code: re.Match[str], vocabulary: Vocabulary
) -> Formula | None:
    """Read a formula in inline code; without a left side, all its names must be known."""
    if "=" in code[1]:
        return _known_equation(block, line, Span(*code.span(1)), vocabulary)
    if "*" not in code[1] and "×" not in code[1]:
        return None
    formula = _formula(block, line, None, Span(*code.span(1)), vocabulary)
    return formula if formula is not None and len(names(formula.expression)) > 1 else None


def _equation(
    block: Block,
    line: TextLine,
    within: Span,
    vocabulary: Vocabulary,
    *,
    only_known: bool = False,
) -> Formula | None:
    """Read `left = right` between two places of a line; words after it are ignored.

    With `only_known`, only if the left side is known: most lines of scripts set something else.
    """
    text, (start, end) = line.text, within
    signs = [match.start() for match in _EQUALS.finditer(text, start, end)]
    if len(signs) != 1:
        return None
    right_start = signs[0] + 1
    for right_end in _right_ends(text, right_start, end):
        right = text[right_start:right_end].strip(_MARKS).rstrip(_END)
        expression = parse_expression(right, vocabulary.knows)
        if expression is not None:
            break
    else:
        return None
    if isinstance(expression, NumberLiteral):
        # A setting, of which scripts are full.
        return None
    left_text, left_start = _left_side(text, start, signs[0], vocabulary)
    if left_text is None or (only_known and vocabulary.lookup(left_text) is None):
        return None
    place = text.index(right, right_start)
    span = Span(line.start + left_start, line.start + place + len(right))
    formula = Formula(left_text, expression, span, block)
    return formula if _says_something(formula, vocabulary) else None


def _left_side(text: str, start: int, end: int, vocabulary: Vocabulary) -> tuple[str | None, int]:
    """The name before the sign, without introductory words unless they are part of a known name."""
    whole = _bare_left(text[start:end])
    lead = _LEAD.match(text, start, end) if vocabulary.lookup(whole) is None else None
    start = lead.end() if lead is not None else start
    bare = _known_end(whole if lead is None else _bare_left(text[start:end]), vocabulary)
    if not bare or len(bare) > _LONGEST_NAME or len(bare.split()) > _MOST_WORDS:
        return None, start
    if not isinstance(parse_expression(bare, lambda _: True), Name):
        return None, start
    return bare, text.index(bare, start)


def _known_end(phrase: str, vocabulary: Vocabulary) -> str:
    """The last words of a phrase, if only they are known: `here GPUs` is `GPUs`."""
    words = phrase.split(" ")
    ends = (" ".join(words[start:]) for start in range(len(words)))
    return next((end for end in ends if vocabulary.lookup(end) is not None), phrase)


def _bare_left(text: str) -> str:
    return _UNIT.sub("", text.strip(_MARKS)).strip(_MARKS)


def _right_ends(text: str, start: int, end: int) -> Iterator[int]:
    yield end
    for seam in islice(_SEAM.finditer(text, start, end), _MOST_SEAMS):
        yield seam.start()


def _says_something(formula: Formula, vocabulary: Vocabulary) -> bool:
    """Whether it is neither a definition, `MBS = micro batch size`, nor a setting, `x = 3`."""
    right = names(formula.expression)
    if not right or any(len(name.split()) > _MOST_WORDS for name in right):
        return False
    meanings = [quantity_named(formula, name, vocabulary) for name in right]
    left = quantity_named(formula, formula.left or "", vocabulary)
    if isinstance(formula.expression, Name):
        return left is not None and meanings[0] is not None and meanings[0] != left
    if not isinstance(formula.expression, Operation):
        return False
    return left is not None or any(meaning is not None for meaning in meanings)


def _all_known(formula: Formula, vocabulary: Vocabulary) -> bool:
    known = (quantity_named(formula, name, vocabulary) for name in names(formula.expression))
    left = formula.left is None or quantity_named(formula, formula.left, vocabulary) is not None
    return left and all(quantity is not None for quantity in known)
