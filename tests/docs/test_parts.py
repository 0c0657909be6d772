"""The parts of the documentation that are made from the code are as the code is."""

from __future__ import annotations

from pathlib import Path

import pytest

import mdbench
from handbook.interface import FUNCTIONS
from handbook.pages import list_pages
from handbook.regions import PARTS, fill_regions, named_regions
from mdbench.cli import main as cli
from mdbench.cli.completion.tree import find_commands
from mdbench.frames.frame_columns import Shape, fields
from mdbench.vocabulary.meanings import column_meanings, describe_quantity, grouped_meanings
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

PROJECT = Path(__file__).resolve().parent.parent.parent
PAGES = list_pages()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_parts_of_a_page_are_up_to_date(path: Path) -> None:
    text = path.read_text("utf-8")
    assert fill_regions(text) == text, "stale: run `make docs`"


def test_every_part_has_its_place() -> None:
    used = [name for path in PAGES for name in named_regions(path.read_text("utf-8"))]
    assert sorted(used) == sorted(PARTS)


def test_every_quantity_has_a_meaning() -> None:
    told = [name for group in grouped_meanings().values() for name in group]
    assert sorted(told) == sorted(STANDARD.quantities)


def test_a_meaning_is_a_sentence() -> None:
    told = [*column_meanings().values()]
    told += [text for group in grouped_meanings().values() for text in group.values()]
    assert [text for text in told if not text.endswith((".", "…")) or "|" in text] == []


@pytest.mark.parametrize("shape", Shape)
def test_every_column_is_on_the_page_of_the_frames(shape: Shape) -> None:
    page = (PROJECT / "docs" / "frames.md").read_text("utf-8")
    assert [
        field.name for field in fields(shape, STANDARD) if f"| `{field.name}` |" not in page
    ] == []


def test_a_quantity_is_described() -> None:
    page = describe_quantity("step_time_s")
    assert page is not None
    assert page.startswith(
        "# step_time_s\n\nThe time of a step or iteration.\n\nUnit: s\n\nHeaders: "
    )
    assert describe_quantity("shoe_size") is None


def test_help_says_what_a_column_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help", "mfu"]) == 0
    assert capsys.readouterr().out == describe_quantity("mfu")


def test_every_command_has_a_section() -> None:
    page = (PROJECT / "docs" / "commands.md").read_text("utf-8")
    commands = find_commands(cli._make_parser())  # noqa: SLF001 - to know which there are
    assert [name for name in commands if f"\n## mdbench {name}\n" not in page] == []


def test_everything_that_can_be_imported_is_on_the_page() -> None:
    page = (PROJECT / "docs" / "api.md").read_text("utf-8")
    public = {name for name in mdbench.__all__ if not name.startswith("__")}
    assert {name for name in public if name[0].islower()} == set(FUNCTIONS)
    assert [name for name in public if name[0].isupper() and f"\n### {name}\n" not in page] == []
