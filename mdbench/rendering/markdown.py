"""Write a report again, clean."""

from __future__ import annotations

from typing import NamedTuple

from mdbench.rendering.proof import rewrite_tables
from mdbench.source import Source
from mdbench.vocabulary.quantities import Vocabulary

__all__ = ["Rendering", "render_markdown"]


class Rendering(NamedTuple):
    """How to write a report."""

    minimal: bool = False
    """Leave clean tables unchanged."""
    recompute: bool = False
    annotate: bool = False


_PLAIN = Rendering()


def render_markdown(
    source: Source, vocabulary: Vocabulary, rendering: Rendering = _PLAIN
) -> Source:
    """Write a clean version of a report. Only tables and the footnotes below them change."""
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
    # Findings that the layout has fixed are gone.
    return rewrite_tables(annotate(clean, vocabulary), vocabulary, minimal=minimal)
