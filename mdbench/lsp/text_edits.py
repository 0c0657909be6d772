"""Turn one text into another with few edits, line by line, so that the cursor stays in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.source import Edit, Source, Span

# For more lines than this, comparing them is too slow.
_MOST_LINES = 2000


def find_changes(before: Source, after: Source) -> tuple[Edit, ...]:
    """The edits from one text to the other; empty if they are equal."""
    if before.text == after.text:
        return ()
    old, new = _lines(before), _lines(after)
    head = _count_alike(old, new)
    tail = _count_alike(old[head:][::-1], new[head:][::-1])
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    offsets = [*before.line_starts, len(before.text)]
    return tuple(
        Edit(Span(offsets[head + start], offsets[head + end]), text)
        for start, end, text in _compare(*middle)
    )


def _lines(source: Source) -> list[str]:
    ends = [*source.line_starts[1:], len(source.text)]
    return [source.text[start:end] for start, end in zip(source.line_starts, ends, strict=True)]


def _count_alike(old: Sequence[str], new: Sequence[str]) -> int:
    pairs = zip(old, new, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), _shorter(old, new))


def _shorter(old: Sequence[str], new: Sequence[str]) -> int:
    return min(len(old), len(new))


def _compare(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The lines to replace, from and to, with the new text."""
    if len(old) + len(new) > _MOST_LINES:
        yield 0, len(old), "".join(new)
        return
    # Imported lazily: needed only if something changes.
    from difflib import SequenceMatcher  # noqa: PLC0415

    for tag, start, end, first, last in SequenceMatcher(None, old, new, False).get_opcodes():
        if tag != "equal":
            yield start, end, "".join(new[first:last])
