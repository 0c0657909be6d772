"""Parse formulas into expression trees: numbers, names of several words, common operators."""

from collections.abc import Callable
from typing import NamedTuple

from mdbench.numerals.digits import read_number
from mdbench.prose.expressions import Equation, Expression, Name, Negation, NumberLiteral, Operation
from mdbench.regex import lazy

LONGEST = 500
DEEPEST = 64
MOST_OPERATIONS = 100

_NUMBER = lazy(
    r"(?:[1-9]\d{0,2}(?:,\d{3})+(?![\d,])|\d+(?:_\d{3})*)(?:\.\d*)?(?:[eE][+-]?\d{1,3})?"
    r"|\.\d+(?:[eE][+-]?\d{1,3})?"
)
_WORD = lazy(r"[#$]?\{?[^\W\d]\w*\}?(?:\.[^\W\d]\w*)*(?:\.(?= [^\W\d]))?")
_COMPOUND = lazy(r"[^\W\d]\w*(?:[/-][^\W\d]\w*){1,3}")
_SIGN = lazy(r"\*\*|[-+*/^()×·⋅∙÷−–]")
_TIMES = lazy(r"[xX](?=[\s\d(])")
_PERCENT = lazy(r"%(?!\s*[\w$(.])")
_SIGNS = {"^": "**", "×": "*", "·": "*", "⋅": "*", "∙": "*", "÷": "/", "−": "-", "–": "-"}
_BINARY = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 3}
_UNARY = 2
_SPACES = " \t"


class _Token(NamedTuple):
    """An operator, or an operand that is already parsed."""

    sign: str = ""
    operand: Expression | None = None


class _NotArithmeticError(Exception):
    """The text is not arithmetic."""


def parse_expression(text: str, is_name: Callable[[str], bool] | None = None) -> Expression | None:
    """Parse a text that is nothing but an expression, or return None.

    `is_name` distinguishes `Tokens/s`, a single name, from a quotient of two.
    """
    if len(text) > LONGEST:
        return None
    try:
        return _Parser(_split(text.strip(), is_name)).parse()
    except _NotArithmeticError:
        return None


def parse_equation(text: str, is_name: Callable[[str], bool] | None = None) -> Equation | None:
    """Parse an equation `name = expression`, or return None."""
    left, sign, right = text.partition("=")
    name = parse_expression(left, is_name)
    expression = parse_expression(right, is_name) if sign else None
    if expression is None or not isinstance(name, Name):
        return None
    return Equation(name.text, expression)


def _split(text: str, is_name: Callable[[str], bool] | None) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    operations = 0
    while at < len(text):
        if text[at] in _SPACES:
            at += 1
            continue
        behind_operand = bool(tokens) and (tokens[-1].operand is not None or tokens[-1].sign == ")")
        sign = _SIGN.match(text, at) or (_TIMES.match(text, at) if behind_operand else None)
        if sign is not None:
            tokens.append(_Token(_SIGNS.get(sign[0], "*" if sign[0] in "xX" else sign[0])))
            operations += 1
            at = sign.end()
        elif behind_operand:
            raise _NotArithmeticError
        else:
            operand, at = _read_operand(text, at, is_name)
            tokens.append(_Token(operand=operand))
        if operations > 2 * MOST_OPERATIONS:
            raise _NotArithmeticError
    return tokens


def _read_operand(
    text: str, at: int, is_name: Callable[[str], bool] | None
) -> tuple[Expression, int]:
    number = _NUMBER.match(text, at)
    if number is None:
        return _read_name(text, at, is_name)
    end = number.end()
    figure = read_number(number[0].rstrip("."))
    # `0x10` and `4k` are ambiguous.
    suffixed = end < len(text) and (text[end].isalpha() or text[end] in "_.,")
    times = _TIMES.match(text, end) is not None and number[0] != "0"
    if figure is None or (suffixed and not times):
        raise _NotArithmeticError
    percent = _PERCENT.match(text, end)
    if percent is None:
        return NumberLiteral(figure.value, figure.quantum), end
    return NumberLiteral(figure.value.scaleb(-2), figure.quantum.scaleb(-2)), percent.end()


def _read_name(text: str, at: int, is_name: Callable[[str], bool] | None) -> tuple[Expression, int]:
    """Read a name of one or more words; a single x between two words is a times sign."""
    words: list[str] = []
    end = at
    while True:
        word = _read_word(text, at, is_name)
        if word is None or (words and _TIMES.match(text, at)):
            break
        words.append(word)
        end = at + len(word)
        at = end
        while at < len(text) and text[at] in _SPACES:
            at += 1
        if at == end:
            break
    if not words:
        raise _NotArithmeticError
    name = " ".join(words).lstrip("#$").replace("{", "").replace("}", "")
    return Name(name.strip()), end


def _read_word(text: str, at: int, is_name: Callable[[str], bool] | None) -> str | None:
    compound = _COMPOUND.match(text, at) if is_name is not None else None
    while compound is not None and is_name is not None:
        if is_name(compound[0]):
            return compound[0]
        shorter = max(compound[0].rfind("/"), compound[0].rfind("-"))
        compound = _COMPOUND.match(text, at, at + shorter)
    word = _WORD.match(text, at)
    return None if word is None else word[0]


class _Parser:
    """Parses tokens by operator precedence."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def parse(self) -> Expression:
        expression = self._read(0)
        if self._at < len(self._tokens):
            raise _NotArithmeticError
        return expression

    def _read(self, rank: int) -> Expression:
        left = self._read_unit()
        while self._at < len(self._tokens):
            sign = self._tokens[self._at].sign
            own = _BINARY.get(sign, 0)
            if own <= rank:
                break
            self._at += 1
            # Powers are right-associative: 2 ^ 3 ^ 2 is 2 ^ 9.
            right = self._read(own - 1 if sign == "**" else own)
            left = Operation(sign, left, right)
        return left

    def _read_unit(self) -> Expression:
        if self._at >= len(self._tokens) or self._depth >= DEEPEST:
            raise _NotArithmeticError
        token = self._tokens[self._at]
        self._at += 1
        if token.operand is not None:
            return token.operand
        self._depth += 1
        if token.sign == "-":
            inner: Expression = Negation(self._read(_UNARY))
        elif token.sign == "(":
            inner = self._read(0)
            self._close()
        else:
            raise _NotArithmeticError
        self._depth -= 1
        return inner

    def _close(self) -> None:
        if self._at >= len(self._tokens) or self._tokens[self._at].sign != ")":
            raise _NotArithmeticError
        self._at += 1
