"""The reports that speed is measured on: many copies of a few, and some that are all different.

    python benchmarks/copies.py FOLDER [--files N]

`FOLDER/copies/docs` gets the reports of reports/ in turn, each with a last paragraph of its own,
`This is copy 17.`, and nothing else that tells it from the others. `FOLDER/different/docs` gets
those of ../shared/corpus, where that is, a fifth as many files and about as many bytes: the first
time as they are, then with another last digit in one number of each row of their tables, chosen by
a fixed seed, so that no two say the same. The same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path

from mdbench.markdown.document import Cell, Table
from mdbench.markdown.parser import parse_document
from mdbench.source import Edit, Source, Span

# The reports of the corpus are five times as long as ours.
_FEWER = 5
_SEED = 17
_PROJECT = Path(__file__).resolve().parent.parent
_SAMPLES = _PROJECT / "reports"
_CORPUS = _PROJECT.parent / "shared" / "corpus"
_NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:\.\d+)?(?![\w.,:/-])")


def copy_samples(samples: Iterable[str], count: int) -> Iterator[str]:
    """The samples in turn, each with a paragraph that says nothing but which copy it is."""
    for number, text in enumerate(islice(cycle(samples), count)):
        yield f"{text.rstrip()}\n\nThis is copy {number}.\n"


def vary_reports(reports: Iterable[str], count: int, seed: int = _SEED) -> Iterator[str]:
    """The reports in turn, no two alike."""
    seen: set[str] = set()
    chance = random.Random(seed)
    for report in islice(cycle(reports), count):
        text = report
        while text in seen:
            text = change_numbers(text, chance)
        seen.add(text)
        yield text


def change_numbers(text: str, chance: random.Random) -> str:
    """A report with another last digit in a number of each row of its tables."""
    source = Source("", text)
    tables = parse_document(source).tables
    edits = {edit.span: edit for table in tables for edit in _change_table(table, chance)}
    if not edits:
        # No table has a number to change.
        return f"{text.rstrip()}\n\nThe seed was {chance.randrange(10**6)}.\n"
    return source.edited(edits.values()).text


def _change_table(table: Table, chance: random.Random) -> Iterator[Edit]:
    for row in table.rows:
        digits = [*_find_digits(row.cells)]
        if digits:
            span, old = chance.choice(digits)
            yield Edit(span, chance.choice("123456789".replace(old, "")))


def _find_digits(cells: Iterable[Cell]) -> Iterator[tuple[Span, str]]:
    """The last digit of each number in a row, and where it stands."""
    for cell in cells:
        for match in _NUMBER.finditer(cell.raw):
            end = cell.span.start + match.end()
            yield Span(end - 1, end), cell.raw[match.end() - 1]


def write_files(folder: Path, texts: Iterable[str]) -> None:
    """Each text as a file of its own."""
    folder.mkdir(parents=True)
    for number, text in enumerate(texts):
        (folder / f"{number:05}.md").write_text(text, encoding="utf-8", newline="\n")


def make_corpora(folder: Path, files: int, corpus: Path = _CORPUS) -> None:
    """Both kinds, the second where there are reports to make it of."""
    write_files(folder / "copies" / "docs", copy_samples(read_texts(_SAMPLES), files))
    reports = read_texts(corpus)
    if reports:
        write_files(folder / "different" / "docs", vary_reports(reports, max(1, files // _FEWER)))


def read_texts(folder: Path) -> list[str]:
    """The reports in a folder, but not what is said about the folder itself."""
    paths = sorted(path for path in folder.glob("*.md") if path.name != "README.md")
    return [path.read_text(encoding="utf-8") for path in paths]


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description="Reports to measure speed on.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=2000, help="how many copies (default: 2000)")
    arguments = parser.parse_args()
    make_corpora(arguments.folder, arguments.files)


if __name__ == "__main__":
    main()
