r"""Fractions of TeX in calculations: `\frac{1}{1 - 0.9 + \frac{0.9}{16}}`."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.regex import lazy
from mdbench.source import Span

_FRACTION = lazy(r"\\[dt]?frac\{(?P<above>[^{}]{1,200})\}\{(?P<below>[^{}]{1,200})\}")
_LONE = lazy(r"\((\d[\d.]{0,30})\)")
_NAMES = frozenset(("frac", "dfrac", "tfrac"))
_SIZES = frozenset(("left", "right"))
_DEEPEST = 8


class Token(NamedTuple):
    """A token. `kind` is the group of the pattern that matched it."""

    kind: str
    text: str
    span: Span


def has_fractions(text: str) -> bool:
    """Whether a line has a fraction of TeX."""
    return "frac{" in text


def spell_out(text: str) -> str:
    """The text with fractions as people type them: `(1)/(16)`."""
    for _ in range(_DEEPEST):
        plain = _FRACTION.sub(r"(\g<above>)/(\g<below>)", text)
        if plain == text:
            break
        text = plain
    return _LONE.sub(r"\1", text).replace("$", "").strip()


def replace_fractions(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with brackets and a slash for each fraction; unchanged if one is not closed."""
    found = _Reader(tokens)
    replaced = list(found.read())
    return list(tokens) if found.open else replaced


class _Reader:
    """Goes through tokens; `open` has, for each open brace, whether a denominator follows."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.open: list[str] = []

    def read(self) -> Iterator[Token]:
        at = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            following = [one.text for one in self.tokens[at + 1 : at + 3]]
            if token.text == "\\" and following[:1] and following[0] in _NAMES:
                if following[1:] != ["{"]:
                    self.open.append("broken")
                    return
                self.open.append("numerator")
                yield from _brackets("((", token.span)
                at += 3
            elif token.text == "\\" and following[:1] and following[0] in _SIZES:
                at += 2
            elif token.text == "}" and self.open:
                yield from self._close(token, following)
                at += 2 if self.open and self.open[-1] == "just begun" else 1
                self._settle()
            else:
                if token.text == "{":
                    self.open.append("group")
                    yield from _brackets("(", token.span)
                else:
                    yield token._replace(kind="space") if token.kind == "money" else token
                at += 1

    def _close(self, token: Token, following: Sequence[str]) -> Iterator[Token]:
        ended = self.open.pop()
        if ended == "numerator" and following[:1] == ["{"]:
            self.open.append("just begun")
            yield from _brackets(")", token.span)
            yield Token("sign", "/", token.span)
            yield from _brackets("(", token.span)
        elif ended == "numerator":
            self.open.append("broken")
        else:
            yield from _brackets("))" if ended == "denominator" else ")", token.span)

    def _settle(self) -> None:
        if self.open and self.open[-1] == "just begun":
            self.open[-1] = "denominator"


def _brackets(text: str, span: Span) -> Iterator[Token]:
    return (Token("bracket", one, span) for one in text)
