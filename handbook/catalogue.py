"""The relations that mdbench knows, as a table."""

from __future__ import annotations

from itertools import groupby

from mdbench.relations.catalogue import REST, Constant, Relation, catalogue


def show_relations() -> str:
    """Every relation by its name, each reading of it in a row."""
    lines = ["| relation | equation | what `k` is |", "|---|---|---|"]
    for name, group in groupby(catalogue(), key=lambda one: one.name):
        for number, one in enumerate(group):
            lines.append(f"| {'' if number else name} | {_equation(one)} | {_violation(one)} |")
    return "\n".join(lines)


def _equation(one: Relation) -> str:
    # A pipe in a cell is written in two ways by two kinds of Markdown, and in one by both.
    return f"<code>{one.equation.replace('|', '&#124;')}</code>"


def _violation(one: Relation) -> str:
    told = [str(one.constant)] if one.constant is not Constant.ONE else []
    if one.same:
        told.append(f"the same where {' and '.join(map(_setting, one.same))}")
    if one.slack:
        told.append(f"within {100 * one.slack:g} %")
    return ", ".join(told)


def _setting(name: str) -> str:
    return "all other settings are" if name == REST else f"`{name}` is"
