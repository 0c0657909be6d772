"""`mdbench config` prints what is in force, and the schema is that of the declaration."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mdbench.config.declaration import OPTIONS
from mdbench.config.schema import SHIPPED, make_schema, write_schema
from mdbench.config.settings import DEFAULTS
from tests.conftest import Run

PROJECT = Path(__file__).resolve().parent.parent.parent


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def settings(run: Run, *arguments: str) -> dict[str, Any]:
    """What `mdbench config` prints, which is TOML."""
    return tomllib.loads(run("config", *arguments).out)


def test_config_says_where_each_setting_comes_from(run: Run) -> None:
    write(
        "pyproject.toml", '[tool.mdbench]\nignore = ["MB2"]\n[tool.mdbench.constants]\nvocab = 5\n'
    )
    lines = run("config", "--select", "mb3", "reports").out.splitlines()
    told = {line.split(" = ")[0]: line.partition("  # ")[2] for line in lines}
    assert told["select"] == "--select"
    assert told["ignore"] == "pyproject.toml: tool.mdbench.ignore"
    assert told["constants.vocab"] == "pyproject.toml: tool.mdbench.constants.vocab"
    assert told["fail-on"] == "default"
    assert told["paths"] == "the paths of the command line"


def test_config_prints_every_setting_as_toml_that_says_the_same(run: Run) -> None:
    assert settings(run) == DEFAULTS
    write("mdbench.toml", EXAMPLE)
    again = run("config").out
    assert tomllib.loads(again) == {**DEFAULTS, **tomllib.loads(EXAMPLE)}
    write("mdbench.toml", again)
    assert run("config").out == again


EXAMPLE = """
paths = ["reports", "docs/results.md"]
exclude = ["drafts/", "!drafts/kept.md"]
select = ["MB"]
ignore = ["MB206", "MB5"]
fail-on = "error"
cache-dir = "build/mdbench"
max-file-size = "2MB"
timeout-per-file = 2.5
relations = ["cost_usd = train_time_h * devices * 1.86"]

[per-file-ignores]
"reports/old/*.md" = ["MB2", "MB403"]

[columns]
"Wall (min)" = { quantity = "train_time_h", unit = "min" }
TGS = "tokens_per_s_per_device"

[quantities]
queue_time_s = "s"
goodput = { unit = "ratio", role = "measurement", spellings = ["Goodput", "Good put"] }

[peaks]
MI300A = 980.6
H100 = { bf16 = 989.4, fp8 = 1979 }

[constants]
devices_per_node = 8

[results]
runs = "bench/results/*.json"
"""


def test_the_shipped_schema_is_that_of_the_declaration() -> None:
    assert SHIPPED.read_text(encoding="utf-8") == write_schema(), (
        "stale: mdbench config --schema > mdbench/config/schema.json"
    )


def test_the_schema_is_printed(run: Run) -> None:
    assert json.loads(run("config", "--schema").out) == make_schema()


def test_the_schema_is_one_and_knows_every_setting() -> None:
    schema = make_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    assert list(schema["properties"]) == [option.name for option in OPTIONS] == list(DEFAULTS)


@pytest.mark.parametrize("text", ["", EXAMPLE], ids=["empty", "everything"])
def test_the_schema_allows_what_is_right(run: Run, text: str) -> None:
    write("mdbench.toml", text)
    assert run("config").code == 0
    jsonschema.Draft7Validator(make_schema()).validate(tomllib.loads(text))


def test_the_documented_example_is_right(run: Run) -> None:
    page = (PROJECT / "docs" / "configuration.md").read_text(encoding="utf-8")
    blocks = [block.partition("```")[0] for block in page.split("```toml\n")[1:]]
    assert blocks
    for block in blocks:
        name = "pyproject.toml" if "[tool.mdbench" in block else "mdbench.toml"
        write(f"{blocks.index(block)}/{name}", block)
        result = run("config", "--config", f"{blocks.index(block)}/{name}")
        assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_setting_is_documented(option: Any) -> None:
    page = (PROJECT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert f"### `{option.name}`" in page
