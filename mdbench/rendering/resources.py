"""Where the files that are shipped beside the code stand."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def template_folder() -> Path:
    """The shipped report layouts: inside an installed package, beside it in a checkout."""
    for folder in (_PACKAGE / "templates", _PACKAGE.parent / "templates"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"mdbench's templates are missing beside {_PACKAGE}; install it again")


def rule_page(code: str) -> Path | None:
    """The page of a rule; none where the package was put together without the pages."""
    for folder in (_PACKAGE / "docs", _PACKAGE.parent / "docs"):
        page = folder / "rules" / f"{code}.md"
        if page.is_file():
            return page
    return None
