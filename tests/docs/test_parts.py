"""Generated parts of the documentation are up to date and complete."""

from __future__ import annotations

from pathlib import Path

import pytest

import mdbench
from handbook.interface import FUNCTIONS
from handbook.pages import list_pages
from handbook.parts import MEASURED, PARTS, fill_parts
from handbook.regions import find_regions
from mdbench.cli import main as cli
from mdbench.frames.frame_columns import Shape, fields
from mdbench.vocabulary.meanings import column_meanings, describe_quantity, grouped_meanings
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

PROJECT = Path(__file__).resolve().parent.parent.parent
PAGES = list_pages()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_parts_of_a_page_are_current(path: Path) -> None:
    text = path.read_text("utf-8")
    assert fill_parts(text) == text, "stale: run `make docs`"


def test_every_region_is_on_exactly_one_page() -> None:
    used = [name for path in PAGES for name in find_regions(path.read_text("utf-8"))]
    assert sorted(used) == sorted((*PARTS, *MEASURED))


def test_every_quantity_has_a_meaning() -> None:
    described = [name for group in grouped_meanings().values() for name in group]
    assert sorted(described) == sorted(STANDARD.quantities)


def test_a_description_is_a_sentence() -> None:
    texts = [*column_meanings().values()]
    texts += [text for group in grouped_meanings().values() for text in group.values()]
    assert [text for text in texts if not text.endswith((".", "…")) or "|" in text] == []


@pytest.mark.parametrize("shape", Shape)
def test_every_column_is_documented(shape: Shape) -> None:
    page = (PROJECT / "docs" / "frames.md").read_text("utf-8")
    assert [
        field.name for field in fields(shape, STANDARD) if f"| `{field.name}` |" not in page
    ] == []


def test_a_quantity_is_described() -> None:
    page = describe_quantity("step_time_s")
    assert page is not None
    assert page.startswith(
        "# step_time_s\n\nThe time per step or iteration.\n\nUnit: s\n\nHeaders: "
    )
    assert describe_quantity("shoe_size") is None


def test_help_describes_a_column(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help", "mfu"]) == 0
    assert capsys.readouterr().out == describe_quantity("mfu")


def test_every_command_has_a_section() -> None:
    page = (PROJECT / "docs" / "commands.md").read_text("utf-8")
    commands = cli.make_parser().commands
    assert [name for name in commands if f"\n## mdbench {name}\n" not in page] == []


def test_every_public_name_is_documented() -> None:
    page = (PROJECT / "docs" / "api.md").read_text("utf-8")
    public = {name for name in mdbench.__all__ if not name.startswith("__")}
    assert {name for name in public if name[0].islower()} == set(FUNCTIONS)
    assert [name for name in public if name[0].isupper() and f"\n### {name}\n" not in page] == []
