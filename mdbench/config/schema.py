"""The JSON schema of mdbench.toml, by which editors complete and check it."""

from __future__ import annotations

import json
from pathlib import Path

from mdbench.config.declaration import OPTIONS
from mdbench.config.kinds import Schema

SHIPPED = Path(__file__).with_name("schema.json")


def make_schema() -> Schema:
    """The schema, from the declaration of the settings."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "mdbench.toml",
        "description": "The settings of mdbench; in pyproject.toml they stand in [tool.mdbench].",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            option.name: {
                "description": option.help,
                **option.kind.schema(),
                "default": option.default,
            }
            for option in OPTIONS
        },
    }


def write_schema() -> str:
    """The schema as it is shipped."""
    return json.dumps(make_schema(), indent=2, ensure_ascii=False) + "\n"
