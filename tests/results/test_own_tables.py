"""A tool's own Markdown table, bound to its own JSON."""

from __future__ import annotations

from pathlib import Path

from mdbench.rendering.updating import update
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary
from tests.results.conftest import Open


def test_the_table_of_hyperfine_follows_its_json(fixtures: Path, opened: Open) -> None:
    database = opened(fixtures, {"hyperfine": "hyperfine.json"})
    table = (fixtures / "hyperfine.md").read_text(encoding="utf-8")
    page = f"# Speed\n\n<!-- mdbench: from hyperfine -->\n{table}\nMeasured twice.\n"
    source = Source("README.md", page)
    updated = update(source, standard_vocabulary(), database)
    assert (updated.source.text, updated.changes, updated.remarks) == (page, (), ())

    old = page.replace("5.0 ± 0.7 | 4.5 |", "9.7 ± 2.1 | 8.8 |")
    assert old != page
    updated = update(Source("README.md", old), standard_vocabulary(), database)
    assert updated.problem == ""
    assert updated.source.text == page
    assert len(updated.changes) == 2
