"""`python -m handbook [PAGE…]`: write what is made from the code, and run what the pages show."""

from __future__ import annotations

import sys
from pathlib import Path

from handbook.pages import PROJECT, list_pages
from handbook.regions import fill_regions
from handbook.sessions import refresh
from mdbench.output.rule_pages import write_pages


def write_page(path: Path) -> bool:
    """Bring one page up to date; whether something changed."""
    old = path.read_text(encoding="utf-8")
    new = refresh(fill_regions(old))
    if new != old:
        path.write_text(new, encoding="utf-8", newline="\n")
    return new != old


def main(names: list[str]) -> int:
    """Write the pages that are named, or all of them."""
    write_pages()
    failed = False
    for path in [Path(name).resolve() for name in names] or list_pages():
        try:
            changed = write_page(path)
        except ValueError as error:
            failed = True
            sys.stderr.write(f"{path.relative_to(PROJECT)}: {error}\n")
        else:
            if changed:
                sys.stdout.write(f"{path.relative_to(PROJECT)}: written\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
