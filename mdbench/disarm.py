"""What a service that runs checks takes for an order where it stands in a log.

GitHub obeys a line that begins with `::error::`, and `##[error]` anywhere; Azure Pipelines obeys
`##vso[…]`, TeamCity `##teamcity[…]`. Reports are by others: what they say is shown, not done.
"""

from __future__ import annotations

from mdbench.regex import lazy

_BRACKET = lazy(r"##\w{0,20}\[")
_COLONS = lazy(r"\s*::")
_COLOUR = lazy(r"\x1b\[[0-9;]{1,5}m")
# As wide as what they stand for, and as long.
_BRACKET_SHOWN, _COLON_SHOWN = "\u27e6", "\ua789"


def disarm(text: str) -> str:
    """A text of the same length that looks the same and is no order."""
    if "##" in text:
        text = _BRACKET.sub(lambda match: match[0][:-1] + _BRACKET_SHOWN, text)
    if "::" in text and (colons := _COLONS.match(text)) is not None:
        at = colons.end() - 2
        text = f"{text[:at]}{_COLON_SHOWN}{text[at + 1 :]}"
    return text


def disarm_json(text: str) -> str:
    """JSON that says the same and is no order, by an escape where one needs a bracket."""
    return _BRACKET.sub(lambda match: match[0][:-1] + "\\u005b", text) if "##" in text else text


def is_tame(text: str) -> bool:
    """Whether lines can be shown as they are: colours are all that they ask of a terminal."""
    lines = _COLOUR.sub("", text).split("\n")
    return all(line.isprintable() and disarm(line) == line for line in lines)
