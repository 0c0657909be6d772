"""Texts that a spreadsheet takes for formulas when it opens a csv file.

`=HYPERLINK(…)` in a cell of somebody's report would be run on the desk of whoever opens the frame.
Such a text gets an apostrophe, by which it stays a text. A number needs none, nor does `-` or
`-5 ms`. So that nothing is lost, a text that has the apostrophe already gets another one.
"""

from __future__ import annotations

from mdbench.regex import lazy

_CALM = r"[-+\w\s.,:%±×/°^*~]*+\Z"
# The wide signs are what Japanese and Chinese keyboards have.
_FORMULA = lazy(rf"'*+\s*+(?:[=@\uff1d\uff20]|[-+\uff0d\uff0b](?!{_CALM}))")


def calm(text: str) -> str:
    """A text that no spreadsheet runs."""
    return f"'{text}" if _FORMULA.match(text) else text
