"""Load the rules, one file each: every file in this folder whose name starts with `mb`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from mdbench.rules.registry import Rule, registered

__all__ = ["RULES", "Rule"]


def _load_rules() -> Mapping[str, Rule]:
    names = sorted(name for name in os.listdir(os.path.dirname(__file__)) if name.endswith(".py"))
    for name in names:
        if name.startswith("mb"):
            import_module(f"{__package__}.{name.removesuffix('.py')}")
    return MappingProxyType(dict(sorted(registered.items())))


RULES: Mapping[str, Rule] = _load_rules()
"""All rules by code, sorted."""
