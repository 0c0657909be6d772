"""The pages under docs/rules: run `python -m mdbench.output.rule_pages` to write them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from mdbench.linting.checker import check
from mdbench.output.full import show_finding
from mdbench.rules.examples import Example, find_examples
from mdbench.rules.loading import RULES, Rule
from mdbench.source import Source

_FOLDER = Path(__file__).resolve().parents[2] / "docs" / "rules"
_EXAMPLE = "report.md"
_INDEX = "README.md"
_FAMILIES = {
    "MB0": "Cannot read",
    "MB1": "Structure",
    "MB2": "Notation and units",
    "MB3": "Arithmetic in a table",
    "MB4": "Between tables, and between table and prose",
    "MB5": "Plausibility",
    "MB6": "Against results",
    "MB9": "Suppressions",
}


def write_page(one: Rule) -> str:
    """The page of one rule; each bad example with what mdbench says about it."""
    text = one.text
    pieces = [f"# {one.code} {one.name}\n\nSeverity: {one.severity}\n\n"]
    done = 0
    for example in find_examples(text):
        pieces += (text[done : example.place.start], _show_example(one, example))
        done = example.place.end
    return "".join((*pieces, text[done:])).rstrip() + "\n"


def write_index() -> str:
    """The page that lists all rules."""
    return "\n".join((*_index_lines(), ""))


def all_pages() -> dict[str, str]:
    """Every page by its file name."""
    return {_INDEX: write_index(), **{f"{one.code}.md": write_page(one) for one in RULES.values()}}


def write_pages(folder: Path = _FOLDER) -> None:
    """Write every page, and take out those of rules that are no more."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = all_pages()
    for stale in folder.glob("*.md"):
        if stale.name not in pages:
            stale.unlink()
    for name, page in pages.items():
        (folder / name).write_text(page, encoding="utf-8", newline="\n")


def _show_example(one: Rule, example: Example) -> str:
    ticks = "````" if "```" in example.text else "```"
    shown = f"{ticks}markdown\n{example.text}{ticks}"
    if example.good:
        return f"Good:\n\n{shown}"
    source = Source(_EXAMPLE, example.text)
    found = [finding for finding in check(source) if finding.code == one.code]
    said = "\n\n".join("\n".join(show_finding(source, finding)) for finding in found)
    return f"Bad:\n\n{shown}\n\n```\n{said}\n```"


def _index_lines() -> Iterator[str]:
    yield "# The rules"
    yield ""
    yield "Made from the rules by `python -m mdbench.output.rule_pages`; change them there."
    for prefix, title in _FAMILIES.items():
        rules = [one for one in RULES.values() if one.code.startswith(prefix)]
        if not rules:
            continue
        yield from (
            "",
            f"## {title}",
            "",
            "| code | name | severity | finds |",
            "|---|---|---|---|",
        )
        for one in rules:
            summary = one.summary.replace("|", "\\|")
            yield f"| [{one.code}]({one.code}.md) | {one.name} | {one.severity} | {summary} |"


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]) if len(sys.argv) > 1 else _FOLDER)
