"""The path patterns of git as regular expressions that match in linear time.

Between two stars the first match is as good as any later one, because what is there has a fixed
length. So the match is atomic (`(?>…)`), and no pattern can backtrack exponentially.
"""

from __future__ import annotations

import re

from mdbench.regex import lazy

_TOKEN = lazy(
    r"""\\(?P<escaped>.)
      | (?P<stars>\*+)
      | (?P<any>\?)
      | \[(?P<negated>[!^]?+)(?P<set>\]?+(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]
      | (?P<broken>[\[\\])
      | (?P<slash>/)
      | (?P<plain>[^\\*?\[/]+)""",
    re.DOTALL | re.VERBOSE,
)
_DEEP = lazy(r"\*\*+")
_MEMBER = lazy(r"\[:(?P<named>[a-z]+):\]|\\?(?P<low>.)(?:-\\?(?P<high>.))?", re.DOTALL)
_NAMED_SETS = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-\/:-@\[-`{-~",
    "space": r"\t-\r ",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class _BrokenGlobError(Exception):
    """A pattern that matches nothing, as in git."""


def compile_glob(glob: str) -> re.Pattern[str] | None:
    """A pattern for paths relative to its folder; None if it matches nothing."""
    if not glob:
        return None
    try:
        # Without a slash a pattern holds at any depth.
        parts = _split(glob.removeprefix("/")) if "/" in glob else ["**", glob]
        return re.compile(_translate(parts), re.DOTALL)
    except _BrokenGlobError:
        return None


def _split(glob: str) -> list[str]:
    """The names between slashes; a slash in a set or after a backslash does not count."""
    parts = [""]
    for token in _TOKEN.finditer(glob):
        if token["broken"]:
            raise _BrokenGlobError
        if token["slash"]:
            parts.append("")
        else:
            parts[-1] += token[0]
    return parts


def _translate(parts: list[str]) -> str:
    pieces: list[str] = []
    floating = False
    group: list[str] = []
    *folders, last = parts
    for part in folders:
        if _DEEP.fullmatch(part):
            pieces.append(_place("".join(f"{name}/" for name in group), floating, final=False))
            floating, group = True, []
        else:
            group.append(_translate_name(part))
    group.append(".+" if _DEEP.fullmatch(last) else _translate_name(last))
    pieces.append(_place("/".join(group), floating, final=True))
    return "".join(pieces)


def _place(names: str, floating: bool, *, final: bool) -> str:
    """Names that follow each other, at this place or, after `**`, any number of folders below."""
    if not floating:
        return names
    below = f"(?:[^/]+/)*?{names}"
    return below if final else f"(?>{below})"


def _translate_name(name: str) -> str:
    """One name between slashes."""
    chunks = [""]
    for token in _TOKEN.finditer(name):
        if token["broken"]:
            raise _BrokenGlobError
        if token["stars"]:
            chunks.append("")
        elif token["any"]:
            chunks[-1] += "[^/]"
        elif token["set"] is not None:
            chunks[-1] += _translate_set(token["set"], bool(token["negated"]))
        else:
            chunks[-1] += re.escape(token["plain"] or token["escaped"])
    if len(chunks) == 1:
        return chunks[0]
    first, *middle, last = chunks
    between = "".join(f"(?>[^/]*?{chunk})" for chunk in middle if chunk)
    return f"{first}{between}[^/]*{last}"


def _translate_set(members: str, negated: bool) -> str:
    inside: list[str] = []
    for member in _MEMBER.finditer(members):
        if member["named"]:
            if member["named"] not in _NAMED_SETS:
                raise _BrokenGlobError
            inside.append(_NAMED_SETS[member["named"]])
            continue
        low, high = member["low"], member["high"] or member["low"]
        # Only the first character of a reversed range counts.
        inside.append(f"{re.escape(low)}-{re.escape(max(low, high))}")
    return f"[^/{''.join(inside)}]" if negated else f"(?!/)[{''.join(inside)}]"
