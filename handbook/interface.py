"""The Python reference: signatures and docstrings of everything that `import mdbench` exports."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass

import mdbench
from mdbench.compare.changes import Side
from mdbench.frames.findings import LocatedFinding
from mdbench.rules.findings import Evidence, Fix
from mdbench.source import Edit, Span

FUNCTIONS = ("lint", "fix", "update", "render", "normalize", "normalize_arrow", "parse", "diff")
_CLASSES = (
    mdbench.Findings,
    LocatedFinding,
    mdbench.Finding,
    Evidence,
    Fix,
    Edit,
    Span,
    mdbench.Change,
    Side,
    mdbench.ProblemError,
)
_WIDTH = 88


def show_functions() -> str:
    """A section for each function."""
    return "\n".join(line for name in FUNCTIONS for line in _function(name))


def show_classes() -> str:
    """A section for each class that a function returns or raises."""
    return "\n".join(line for one in _CLASSES for line in _class(one))


def _function(name: str) -> Iterator[str]:
    one: Callable[..., object] = getattr(mdbench, name)
    yield from (f"### mdbench.{name}", "", "```pyi", *_signature(name, one), "```", "")
    yield from (inspect.getdoc(one) or "", "")


def _signature(name: str, one: Callable[..., object]) -> Iterator[str]:
    signature = inspect.signature(one)
    returns = str(signature.return_annotation)
    parameters = list(_parameters(signature))
    whole = f"def {name}({', '.join(parameters)}) -> {returns}: ..."
    if len(whole) <= _WIDTH:
        yield whole
        return
    yield from (f"def {name}(", *(f"    {one}," for one in parameters), f") -> {returns}: ...")


def _parameters(signature: inspect.Signature) -> Iterator[str]:
    keyword_only = False
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            yield "*"
        default = "" if one.default is one.empty else f" = {one.default!r}"
        yield f"{one.name}: {one.annotation}{default}"


def _class(one: type) -> Iterator[str]:
    yield from (f"### {one.__name__}", "", inspect.getdoc(one) or "", "")
    if is_dataclass(one) or issubclass(one, tuple):
        yield from ("```pyi", f"class {one.__name__}:", *_fields(one), "```", "")


def _fields(one: type) -> Iterator[str]:
    """The fields with their types, and their docstrings as comments."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(one))).body
    assert isinstance(tree, ast.ClassDef)
    for statement, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not isinstance(statement, ast.AnnAssign):
            continue
        shown = f"    {ast.unparse(statement.target)}: {ast.unparse(statement.annotation)}"
        comment = _text(following)
        yield f"{shown}  # {comment}" if comment else shown


def _text(statement: ast.stmt | None) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return " ".join(str(statement.value.value).split())
    return ""
