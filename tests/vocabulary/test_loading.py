"""The stored tables match the vocabulary."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdbench.vocabulary import loading as vocabulary
from mdbench.vocabulary import quantities
from mdbench.vocabulary import tables as vocabulary_tables


def test_the_stored_tables_are_up_to_date() -> None:
    kept = Path(vocabulary_tables.__file__).read_text(encoding="utf-8")
    assert kept == vocabulary.write_tables(), "run: python -m mdbench.vocabulary.loading"


def test_an_edited_vocabulary_takes_effect_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert quantities.standard_vocabulary().find("boxes of steel") == ()
    source = Path(vocabulary_tables.__file__).with_name("vocabulary.toml")
    edited = tmp_path / "vocabulary.toml"
    text = source.read_text(encoding="utf-8")
    edited.write_text(text.replace("\nNodes; ", "\nBoxes Of Steel; Nodes; ", 1), encoding="utf-8")
    monkeypatch.setattr(vocabulary, "_SOURCE", str(edited))
    made = quantities.standard_vocabulary.__wrapped__()
    assert [one.name for one in made.find("boxes of steel")] == ["nodes"]


def test_line_endings_do_not_change_the_vocabulary(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = Path(vocabulary_tables.__file__).with_name("vocabulary.toml")
    edited = tmp_path / "vocabulary.toml"
    edited.write_bytes(source.read_bytes().replace(b"\n", b"\r\n"))
    monkeypatch.setattr(vocabulary, "_SOURCE", str(edited))
    assert vocabulary.load_tables() is vocabulary_tables.TABLES


def test_an_invalid_unit_is_rejected() -> None:
    with pytest.raises(ValueError, match="'bushels' is not a unit"):
        vocabulary.read_unit("bushels")
