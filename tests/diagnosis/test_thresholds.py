"""The tuning constants: all in one file, each with a sentence, each in use."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mdbench.diagnosis import thresholds

FILE = Path(thresholds.__file__)
BODY = ast.parse(FILE.read_text(encoding="utf-8")).body
NAMES = [one.targets[0].id for one in BODY if isinstance(one, ast.Assign)
         if isinstance(one.targets[0], ast.Name)]  # fmt: skip
USED = {
    name.name
    for path in FILE.parent.rglob("*.py")
    for one in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    if isinstance(one, ast.ImportFrom) and one.module == thresholds.__name__
    for name in one.names
}


@pytest.mark.parametrize("name", NAMES)
def test_a_threshold_is_explained_and_used(name: str) -> None:
    at = next(
        at
        for at, one in enumerate(BODY)
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == name
    )
    after = BODY[at + 1]
    assert isinstance(after, ast.Expr)
    assert isinstance(after.value, ast.Constant)
    assert str(after.value.value).endswith(".")
    assert name in USED
