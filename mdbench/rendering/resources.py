"""Find the files that are shipped with the code."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def template_folder() -> Path:
    """The shipped templates: inside an installed package, next to it in a checkout."""
    for folder in (_PACKAGE / "templates", _PACKAGE.parent / "templates"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"mdbench's templates are missing next to {_PACKAGE}; reinstall it")


def rule_page(code: str) -> Path | None:
    """The page of a rule; None if the package was built without the pages."""
    for folder in (_PACKAGE / "docs", _PACKAGE.parent / "docs"):
        page = folder / "rules" / f"{code}.md"
        if page.is_file():
            return page
    return None
