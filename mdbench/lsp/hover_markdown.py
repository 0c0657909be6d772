"""Show the texts of a report literally in the Markdown of a hover."""

from __future__ import annotations

from collections.abc import Sequence

from mdbench.regex import lazy

_MOST_LISTED = 6
_TICKS = lazy(r"`+")
_SPECIAL = lazy(r"([\\`*_{}\[\]<>#|~$])")
_ESCAPED = lazy(r"\\(.)")


def show_text(text: str) -> str:
    """Escape all Markdown in a text, except code in backticks."""
    pieces = " ".join(text.split()).split("`")
    if len(pieces) % 2 == 0:
        return "\\`".join(map(_escape, pieces))
    return "`".join(piece if at % 2 else _escape(piece) for at, piece in enumerate(pieces))


def show_code(text: str) -> str:
    """Show a text as code, with more backticks around it than it contains."""
    flat = " ".join(text.split())
    longest = max((len(run) for run in _TICKS.findall(flat)), default=0)
    ticks = "`" * (longest + 1)
    return f"{ticks} {flat} {ticks}" if longest else f"{ticks}{flat}{ticks}"


def show_list(title: str, entries: Sequence[str]) -> str:
    """A title with a list below it, truncated to a few entries."""
    told = [f"- {entry}" for entry in entries[:_MOST_LISTED]]
    if len(entries) > _MOST_LISTED:
        told.append(f"- and {len(entries) - _MOST_LISTED} more")
    return "\n".join((title, "", *told)) if told else title


def take_out_markup(markdown: str) -> str:
    """Remove the markup, for an editor without Markdown support."""
    return _ESCAPED.sub(r"\1", markdown.replace("**", ""))


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
