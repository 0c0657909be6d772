"""Every regular expression of the package, with the methods that are called on it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, NamedTuple

import mdbench
from mdbench.regex import LazyPattern

_ONE = frozenset(("match", "fullmatch", "search"))
_SEVERAL = frozenset(("finditer", "findall", "sub", "split"))
_ANY = frozenset(("match", "fullmatch", "finditer"))
_MAKERS = frozenset(("lazy", "re.compile"))


class Used(NamedTuple):
    """A pattern and its method: `finditer` stands for all that continue after a match."""

    pattern: str
    flags: int
    methods: frozenset[str]


class Module(NamedTuple):
    """A module of the package, and its syntax tree."""

    live: ModuleType
    tree: ast.Module


def read_modules() -> list[Module]:
    """All modules except `__main__`, which runs the others."""
    names = [one.name for one in walk_packages(mdbench.__path__, "mdbench.")]
    live = [import_module(name) for name in names if name != "mdbench.__main__"]
    return [Module(one, ast.parse(Path(str(one.__file__)).read_text("utf-8"))) for one in live]


def list_patterns() -> dict[str, Used]:
    """The patterns of the modules by module and name, and those written inline."""
    modules = read_modules()
    methods: dict[int, set[str]] = defaultdict(set)
    for module in modules:
        for one, method in _list_calls(module):
            methods[id(one)].add(method)
    found: dict[str, Used] = {}
    seen: set[int] = set()
    for module in modules:
        found.update(_list_inline(module))
        for name, one in list_held(module):
            if id(one) not in seen:
                seen.add(id(one))
                asked = frozenset(methods[id(one)]) or _ANY
                found[f"{module.live.__name__}: {name}"] = Used(one.pattern, one.flags, asked)
    return found


def count_made(module: Module) -> int:
    """The number of patterns that a module compiles when it is imported."""
    top = (one for one in module.tree.body if not isinstance(one, (ast.FunctionDef, ast.ClassDef)))
    nodes = (node for one in top for node in ast.walk(one))
    return sum(isinstance(one, ast.Call) and ast.unparse(one.func) in _MAKERS for one in nodes)


def list_held(module: Module) -> Iterator[tuple[str, Any]]:
    """The patterns that a module has as names, alone or in a collection."""
    for name, value in vars(module.live).items():
        for key, one in _items(name, value):
            if is_pattern(one):
                yield key, one


def _items(name: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        yield from ((str(key), one) for key, one in value.items())
    elif isinstance(value, tuple):
        yield from ((f"{name}[{at}]", one) for at, one in enumerate(value))
    else:
        yield name, value


def is_pattern(value: object) -> bool:
    """Whether a value is a regular expression, compiled or lazy."""
    return isinstance(value, (LazyPattern, re.Pattern))


def _list_calls(module: Module) -> Iterator[tuple[Any, str]]:
    """Each pattern with a method that is called on it, by name or as one of several."""
    named = {name: [one] for name, one in vars(module.live).items() if is_pattern(one)}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Name):
            value = getattr(module.live, node.iter.id, ())
            several = [one for one in value if is_pattern(one)] if isinstance(value, tuple) else []
            named.setdefault(ast.unparse(node.target), []).extend(several)
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple):
            several = [one for part in node.iter.elts for one in named.get(ast.unparse(part), [])]
            named[ast.unparse(node.target)] = several
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr in _ONE | _SEVERAL:
            for one in named.get(ast.unparse(node.value), []):
                yield one, _stand_for(node.attr)


def _list_inline(module: Module) -> Iterator[tuple[str, Used]]:
    """Patterns in calls such as `re.sub`; interpolated values are replaced by a letter."""
    for node in ast.walk(module.tree):
        if not (isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.")):
            continue
        method, first = ast.unparse(node.func)[len("re.") :], node.args[0]
        if method in _ONE | _SEVERAL and isinstance(first, (ast.Constant, ast.JoinedStr)):
            parts = first.values if isinstance(first, ast.JoinedStr) else [first]
            text = "".join(str(p.value) if isinstance(p, ast.Constant) else "x" for p in parts)
            name = f"{module.live.__name__}: {text}"
            yield name, Used(text, 0, frozenset((_stand_for(method),)))


def _stand_for(method: str) -> str:
    return "finditer" if method in _SEVERAL else method
