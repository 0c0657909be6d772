"""A report written again, clean."""

from __future__ import annotations

from typing import NamedTuple

from mdbench.rendering.proof import rewrite_tables
from mdbench.source import Source
from mdbench.vocabulary.quantities import Vocabulary

__all__ = ["Rendering", "render_markdown"]


class Rendering(NamedTuple):
    """How a report is written again."""

    minimal: bool = False
    """A table that is clean already is left as it stands."""
    recompute: bool = False
    annotate: bool = False


_PLAIN = Rendering()


def render_markdown(
    source: Source, vocabulary: Vocabulary, rendering: Rendering = _PLAIN
) -> Source:
    """The same report, clean. Outside its tables, and the footnotes below them, nothing changes."""
    minimal = rendering.minimal
    if rendering.annotate:
        from mdbench.rendering.annotation import annotate, remove_annotations  # noqa: PLC0415

        source = remove_annotations(source)
    if rendering.recompute:
        from mdbench.rendering.computing import recompute  # noqa: PLC0415

        source = recompute(source, vocabulary)
    clean = rewrite_tables(source, vocabulary, minimal=minimal)
    if not rendering.annotate:
        return clean
    # What the layout has fixed is no finding any more.
    return rewrite_tables(annotate(clean, vocabulary), vocabulary, minimal=minimal)
