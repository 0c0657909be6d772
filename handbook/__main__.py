"""`python -m handbook [PAGE…]`: regenerate reference tables and the output of examples."""

from __future__ import annotations

import sys
from pathlib import Path

from handbook.pages import PROJECT, list_pages
from handbook.parts import fill_parts
from handbook.sessions import refresh
from mdbench.output.rule_pages import write_pages


def update_page(path: Path) -> bool:
    """Update one page. Returns whether it changed."""
    old = path.read_text(encoding="utf-8")
    new = refresh(fill_parts(old))
    if new != old:
        path.write_text(new, encoding="utf-8", newline="\n")
    return new != old


def main(names: list[str]) -> int:
    """Update the given pages, or all of them."""
    write_pages()
    failed = False
    for path in [Path(name).resolve() for name in names] or list_pages():
        try:
            changed = update_page(path)
        except ValueError as error:
            failed = True
            sys.stderr.write(f"{path.relative_to(PROJECT)}: {error}\n")
        else:
            if changed:
                sys.stdout.write(f"{path.relative_to(PROJECT)}: updated\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
