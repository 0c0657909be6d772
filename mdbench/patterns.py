"""Regular expressions that are made when they are first used.

There are hundreds on the way of `lint`, and to compile them takes longer than to check a report,
which has a use for few; `compiled.py` keeps what was compiled. A pattern that says what a text
needs to match it is not made before a text has that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mdbench.compiled import restore
from mdbench.hints import TYPE_CHECKING, Any

__all__ = ["LazyPattern", "Pattern"]

_IGNORECASE = int(re.IGNORECASE)
# What is asked so often is asked again, and a compiled pattern answers sooner.
_PATIENCE = 1000
_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "split")


class LazyPattern:
    """A pattern that becomes a compiled one as soon as a text might match it."""

    def __init__(self, pattern: str, flags: int = 0, *, needs: str | tuple[str, ...] = ()) -> None:
        """`needs` has words of which one must be in a text, or several such lists.

        Among them `\\d` is any digit.
        """
        self.pattern, self.flags = pattern, flags
        lists = (needs,) if isinstance(needs, str) else needs
        self.needs = [words.split() for words in lists]
        self.patience = _PATIENCE

    def _compile(self) -> re.Pattern[str]:
        made = restore(self.pattern, self.flags) or re.compile(self.pattern, self.flags)
        # What is asked for again is found there, and no longer here.
        self.__dict__.update({name: getattr(made, name) for name in _METHODS})
        return made

    def _may_match(self, text: str) -> bool:
        self.patience -= 1
        # As a number: what flags do with an operator takes longer than all the rest of this.
        if int(self.flags) & _IGNORECASE:
            text = text.casefold()
        for words in self.needs:
            for word in words:
                if word in text:
                    break
            else:
                if r"\d" not in words or not any(map(str.isdecimal, text)):
                    return self.patience < 0
        return True

    def match(self, text: str, *place: int) -> re.Match[str] | None:
        """As of a compiled pattern, and so are the others."""
        return self._compile().match(text, *place) if self._may_match(text) else None

    def fullmatch(self, text: str, *place: int) -> re.Match[str] | None:
        return self._compile().fullmatch(text, *place) if self._may_match(text) else None

    def search(self, text: str, *place: int) -> re.Match[str] | None:
        return self._compile().search(text, *place) if self._may_match(text) else None

    def finditer(self, text: str, *place: int) -> Iterator[re.Match[str]]:
        return self._compile().finditer(text, *place) if self._may_match(text) else iter(())

    def findall(self, text: str, *place: int) -> list[Any]:
        return self._compile().findall(text, *place) if self._may_match(text) else []

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return self._compile().sub(new, text, count) if self._may_match(text) else text

    def split(self, text: str, maxsplit: int = 0) -> list[Any]:
        return self._compile().split(text, maxsplit) if self._may_match(text) else [text]


if TYPE_CHECKING:

    def Pattern(  # noqa: N802  (to a type checker it is what it becomes)
        pattern: str, flags: int = 0, *, needs: str | tuple[str, ...] = ()
    ) -> re.Pattern[str]: ...

else:
    Pattern = LazyPattern
