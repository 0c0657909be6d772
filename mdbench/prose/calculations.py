"""Calculations in text: `2 * 16 * 32 = 1024`, `32/2=16 replicas`.

All operands must be numbers, which may have units.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from mdbench.numerals.digits import read_number
from mdbench.numerals.units import COUNTS, parse_unit
from mdbench.prose.arithmetic import parse_expression
from mdbench.prose.expressions import Expression, Name
from mdbench.prose.tex import Token, has_fractions, replace_fractions
from mdbench.regex import lazy
from mdbench.source import Span

_TOKEN = lazy(
    r"(?P<space>[\s`]+)"
    r"|(?P<mask>https?://\S+|\]\([^()\s]*\)|<[^<>\d\s][^<>]*>)"
    r"|(?P<equals>(?<![=<>!:~≈+*/^-])=(?![=>~≈])|≈|~=|=~|=≈|≃|\\approx(?![A-Za-z]))"
    r"|(?P<number>(?:(?<![\w.,])|(?<=[\d)][xX]))(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?"
    r"(?:[eE][+-]?\d{1,3}(?!\w))?(?!\d|[.,:]\d))"
    r"|(?P<sign>\*\*|\\?\*|[×·⋅∙/÷^+−–-]|(?<=[\d\s)])[xX](?=\s?[\d(])|\\(?:times|cdot)(?![A-Za-z]))"
    r"|(?P<bracket>[()])"
    r"|(?P<about>[~<>≤≥]|(?:about|around|roughly|approximately|approx\.?|nearly|almost|over|under)\b)"
    r"|(?P<money>(?:US)?[$€£¥])"
    r"|(?P<percent>%)"
    r"|(?P<word>[^\W\d]\w*)"
    r"|(?P<other>.)"
)
# Every calculation contains this; most lines with an equals sign do not.
_WORKED = lazy(
    r"(?:[*×·⋅∙/÷^+−–xX-]|times|cdot)(?:[\s`(~<>≤≥$€£¥]|US|about|around|roughly|approximately|"
    r"approx\.?|nearly|almost|over|under)*\d",
)
# What is worked out and its result are two numbers at least.
_TWO_NUMBERS = lazy(r"\d\D+\d")
_SIGNS = {"×": "*", "·": "*", "⋅": "*", "∙": "*", "÷": "/", "−": "-", "–": "-", "x": "*", "X": "*",
          "\\times": "*", "\\cdot": "*", "\\*": "*"}  # fmt: skip
_MOST_TOKENS = 60
_UNIT_WORDS = 4
_OPERAND_FOLLOWS = frozenset(("number", "bracket", "money", "about"))


class Operand(NamedTuple):
    """A number in a calculation. `letter` is a K, M or B after it, `unit` anything else there."""

    value: Decimal
    quantum: Decimal
    letter: str
    unit: str
    span: Span


class CalculationSide(NamedTuple):
    """One side of a calculation: an expression whose names are the indices of its operands."""

    expression: Expression
    operands: tuple[Operand, ...]
    signs: frozenset[str]
    about: bool
    span: Span

    @property
    def single(self) -> bool:
        """Whether it is just a number."""
        return isinstance(self.expression, Name)


class Calculation(NamedTuple):
    """A side with a calculation, and the number that is stated as its result."""

    worked: CalculationSide
    result: CalculationSide
    about: bool
    span: Span


def find_calculations(text: str) -> Iterator[Calculation]:
    """Find the calculations in a line of text, with their places."""
    if "=" not in text and "≈" not in text and "approx" not in text:
        return
    if _TWO_NUMBERS.search(text) is None:
        return
    if _WORKED.search(text) is None and not has_fractions(text):
        return
    segments, abouts = _split(text)
    chain: list[CalculationSide] = []
    about = False
    for place, segment in enumerate(segments):
        last = place == len(abouts)
        if chain:
            side, used = _read_side(segment, 0)
            if side is not None:
                chain.append(side)
                about = about or abouts[place - 1]
                if used == len(segment) and not _names_the_next(segment, last=last):
                    continue
        yield from _close(chain, about)
        chain, about = [], False
        tail = None if last else _read_tail(segment)
        if tail is not None:
            set_here = bool(place) and _begins_with(segment, tail)
            if not _names_the_next(segment, last=last, set_here=set_here):
                chain.append(tail)
    yield from _close(chain, about)


def _names_the_next(segment: Sequence[Token], *, last: bool, set_here: bool = False) -> bool:
    """Whether the word before the next equals sign is a name, as in `nodes=2 gpus=8`."""
    if last or not segment:
        return False
    end = segment[-2:] if segment[-1].kind == "space" else segment[-1:]
    return end[0].kind == "word" and (set_here or len(end) == 1)


def _begins_with(segment: Sequence[Token], side: CalculationSide) -> bool:
    first = next(token for token in segment if token.kind != "space")
    return first.span.start >= side.span.start


def _split(text: str) -> tuple[list[list[Token]], list[bool]]:
    """The tokens between the equals signs, and whether each of these means "about"."""
    tokens = [
        Token(match.lastgroup or "other", match[0], Span(*match.span()))
        for match in _TOKEN.finditer(text)
    ]
    segments: list[list[Token]] = [[]]
    abouts: list[bool] = []
    for token in replace_fractions(tokens) if has_fractions(text) else tokens:
        if token.kind == "equals":
            abouts.append(token.text != "=")
            segments.append([])
        else:
            segments[-1].append(token)
    return segments, abouts


def _close(chain: Sequence[CalculationSide], about: bool) -> Iterator[Calculation]:
    """Pair each number of a chain with the calculation before it, or the first one after it.

    Two calculations are not compared: `2 * 3 = 6 * 4 = 24` continues with the result.
    """
    worked = next((side for side in chain if not side.single), None)
    about = about or any(side.about for side in chain)
    for side in chain:
        if not side.single:
            worked = side
        elif worked is not None:
            start = min(worked.span.start, side.span.start)
            span = Span(start, max(worked.span.end, side.span.end))
            yield Calculation(worked, side, about, span)


def _read_tail(segment: Sequence[Token]) -> CalculationSide | None:
    """Read the longest side at the end of the segment."""
    for start in range(max(0, len(segment) - _MOST_TOKENS), len(segment)):
        if segment[start].kind not in _OPERAND_FOLLOWS:
            continue
        side, used = _read_side(segment, start)
        if side is not None and used == len(segment):
            return None if _is_continued(segment, start) else side
    return None


def _is_continued(segment: Sequence[Token], start: int) -> bool:
    """Whether the text before a side belongs to it: an operator, or the name of a function."""
    before = segment[start - 1] if start else None
    if before is not None and before.kind in {"word", "mask"}:
        return True
    if before is not None and before.kind == "sign" and set(before.text) == {"*"}:
        # Emphasis: a star that touches the number but nothing before it.
        return start > 1 and segment[start - 2].kind != "space"
    while start and segment[start - 1].kind == "space":
        start -= 1
    return bool(start) and segment[start - 1].kind in {"sign", "percent"}


class _SideReader:
    """Parses one side; `at` is the index after the parsed tokens."""

    def __init__(self, tokens: Sequence[Token], at: int) -> None:
        self.tokens = tokens
        self.at = at
        self.pieces: list[str] = []
        self.operands: list[Operand] = []
        self.signs: set[str] = set()
        self.about = False
        self.depth = 0

    def kind(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.tokens[place].kind if place < len(self.tokens) else ""

    def text(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead].text

    def skip(self, *kinds: str) -> bool:
        found = self.kind() in kinds
        while self.kind() in kinds:
            self.at += 1
        return found

    def read_operand(self) -> bool:
        """Read an operand with its opening and closing brackets."""
        self.skip("space")
        while self.kind() == "bracket" and self.text() == "(":
            self.pieces.append("(")
            self.depth += 1
            self.at += 1
            self.skip("space")
        if self.skip("about"):
            self.about = True
        self.skip("space", "money")
        figure = read_number(self.text()) if self.kind() == "number" else None
        if figure is None:
            return False
        token = self.tokens[self.at]
        self.at += 1
        letter, unit = self.read_unit()
        self.pieces.append(f"n{len(self.operands)}")
        self.operands.append(Operand(figure.value, figure.quantum, letter, unit, token.span))
        while self.depth and self.kind() == "bracket" and self.text() == ")":
            self.pieces.append(")")
            self.depth -= 1
            self.at += 1
        return True

    def read_unit(self) -> tuple[str, str]:
        """Read what follows a number; words after a space only count if they are a unit."""
        letter = ""
        if self.kind() == "percent":
            self.at += 1
            return "", "%"
        if self.kind() == "word" and self.text().lower() in COUNTS and self.text() != "x":
            letter = self.text()
            self.at += 1
        begin = self.at
        gap = self.kind() == "space"
        words, end = self._words()
        while words and (not words[-1].strip() or parse_unit("".join(words)) is None):
            words.pop()
            end -= 1
        if words:
            self.at = end
            return letter, "".join(words).strip()
        self.at = begin
        return letter, "" if gap or self.kind() != "word" else self.text()

    def _words(self) -> tuple[list[str], int]:
        words: list[str] = []
        place = self.at
        while place < len(self.tokens) and len(words) < 2 * _UNIT_WORDS:
            token = self.tokens[place]
            slash = token.text == "/" and place + 1 < len(self.tokens)
            if slash and self.tokens[place + 1].kind != "word":
                break
            if "`" in token.text or (token.kind not in {"space", "word"} and not slash):
                break
            words.append(" " if token.kind == "space" else token.text)
            place += 1
        return words, place

    def read_sign(self) -> bool:
        """Read an operator between two operands, or nothing if no operand follows."""
        place = self.at
        spaced = self.skip("space")
        if self.kind() != "sign":
            self.at = place
            return False
        sign = _SIGNS.get(self.text(), self.text())
        self.at += 1
        gap = self.kind() == "space"
        ahead = 1 if gap else 0
        if self.kind(ahead) not in _OPERAND_FOLLOWS:
            self.at = place
            return False
        if sign == "-" and not (spaced and gap):
            # `1-2` may be a range or a difference.
            self.signs.add("range")
        self.signs.add(sign)
        self.pieces.append(sign)
        return True


def _read_side(tokens: Sequence[Token], start: int) -> tuple[CalculationSide | None, int]:
    """Read the side that starts at a token, and its end; None if it contains names."""
    reader = _SideReader(tokens, start)
    reader.skip("space")
    if start == 0 and reader.kind() == "sign" and set(reader.text()) <= {"*", "+"}:
        reader.at += 1
    first = reader.at
    while True:
        if not reader.read_operand():
            return None, start
        if not reader.read_sign():
            break
    expression = parse_expression(" ".join(reader.pieces)) if not reader.depth else None
    end = tokens[reader.at - 1].span.end
    if expression is None or _goes_on(reader):
        return None, start
    reader.skip("space")
    span = Span(tokens[first].span.start, end)
    operands = tuple(reader.operands)
    return CalculationSide(
        expression, operands, frozenset(reader.signs), reader.about, span
    ), reader.at


def _goes_on(reader: _SideReader) -> bool:
    """Whether the following text makes the side something else: a name, a range, a spread."""
    glued = reader.kind() == "word"
    gap = 1 if reader.kind() == "space" else 0
    following = reader.kind(gap)
    if glued or following in {"number", "mask"}:
        return True
    if following == "other" and reader.text(gap) in "±…":
        return True
    # Stars right after the number close an emphasis.
    emphasis = following == "sign" and not gap and set(reader.text()) == {"*"}
    return following == "sign" and not emphasis
