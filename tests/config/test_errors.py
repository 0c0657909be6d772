"""A wrong configuration: one line with the file, the key, what is allowed and the nearest match."""

from __future__ import annotations

import tomllib
from pathlib import Path

import jsonschema
import pytest

from mdbench.cli.main import main
from mdbench.config.schema import make_schema


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text("# Nothing\n", encoding="utf-8")


def complaint(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that says what is wrong."""
    assert main(("lint", "a.md", *arguments)) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("mdbench: ")
    assert err.count("\n") == 1
    return err.removeprefix("mdbench: ").rstrip("\n")


ALLOWED = (
    "paths, exclude, select, ignore, per-file-ignores, fail-on, cache-dir, max-file-size, "
    "timeout-per-file, columns, quantities, relations, peaks, constants, results"
)

# What a JSON schema can see.
SHAPES = [
    pytest.param(
        "selct = []",
        f"selct: no such setting; allowed are {ALLOWED}; did you mean 'select'?",
        id="a setting that is misspelled",
    ),
    pytest.param(
        "per_file_ignores = {}",
        f"per_file_ignores: no such setting; allowed are {ALLOWED}; "
        "did you mean 'per-file-ignores'?",
        id="underscores for dashes",
    ),
    pytest.param(
        "colour = 1",
        f"colour: no such setting; allowed are {ALLOWED}; did you mean 'columns'?",
        id="a setting that is a bit like one",
    ),
    pytest.param(
        "zzz = 1", f"zzz: no such setting; allowed are {ALLOWED}", id="a setting like no other"
    ),
    pytest.param(
        '[results]\nruns = "*.json"\nrelations = ["mfu = hfu"]',
        "results.relations: a list is not a pattern of paths, such as 'bench/*.json'; if you mean "
        "the setting relations, move it above [results]",
        id="a setting below a table",
    ),
    pytest.param(
        '[results]\nruns = "*.json"\nfail-on = "error"',
        "results.fail-on: 'fail-on' is not a name of lowercase letters, digits and _, such as "
        "'runs'; if you mean the setting fail-on, move it above [results]",
        id="a setting that is no name below a table",
    ),
    pytest.param(
        '[columns]\nWall = "time_s"\nignore = ["MB2"]',
        "columns.ignore: a list is not the name of a quantity; if you mean the setting ignore, "
        "move it above [columns]",
        id="a setting below columns",
    ),
    pytest.param(
        '[tool.mdbench]\nselect = ["MB3"]',
        f"tool: no such setting; allowed are {ALLOWED}; "
        "in this file, settings are at the top level, without [tool.mdbench]",
        id="the table of pyproject.toml",
    ),
    pytest.param('paths = "reports"', "paths: 'reports' is not a list of paths", id="no list"),
    pytest.param("paths = [3]", "paths[0]: 3 is not a path", id="a number for a path"),
    pytest.param('paths = [""]', "paths[0]: '' is not a path", id="an empty path"),
    pytest.param(
        'select = ["E501"]',
        "select[0]: 'E501' is not a code such as 'MB301', a prefix such as 'MB3', or a name such "
        "as 'shifted-row'",
        id="a code of another tool",
    ),
    pytest.param(
        'per-file-ignores = ["MB1"]',
        "per-file-ignores: a list is not a table from patterns of paths to codes",
        id="a list for a table",
    ),
    pytest.param(
        'per-file-ignores = { "a b.md" = "MB1" }',
        "per-file-ignores.\"a b.md\": 'MB1' is not a list of codes",
        id="a key that needs quotes",
    ),
    pytest.param(
        'fail-on = "warnings"',
        "fail-on: 'warnings' is not one of error, warning, info, never; did you mean 'warning'?",
        id="a severity that is misspelled",
    ),
    pytest.param("fail-on = true", "fail-on: true is not a severity", id="a flag for a text"),
    pytest.param(
        'columns = { Wall = { quantty = "time_s" } }',
        "columns.Wall.quantty: no such key; allowed are quantity, unit; did you mean 'quantity'?",
        id="a key of a column",
    ),
    pytest.param(
        'columns = { Wall = { unit = "s" } }',
        "columns.Wall: quantity is missing",
        id="a key that is missing",
    ),
    pytest.param(
        'quantities = { QueueTime = "s" }',
        "quantities.QueueTime: 'QueueTime' is not a name of lowercase letters, digits "
        "and _, such as 'queue_time_s'",
        id="a name that is no name",
    ),
    pytest.param(
        'quantities.queue = { unit = "", role = "seting" }',
        "quantities.queue.role: 'seting' is not one of measurement, setting, identity, score; "
        "did you mean 'setting'?",
        id="a role that is misspelled",
    ),
    pytest.param(
        "quantities.queue = { unit = '', integer = 1 }",
        "quantities.queue.integer: 1 is not true or false",
        id="a number for a flag",
    ),
    pytest.param(
        'relations = ["cost_usd"]',
        "relations[0]: 'cost_usd' is not an equation such as 'cost_usd = device_hours * 1.86'",
        id="no equation",
    ),
    pytest.param(
        "peaks = { H100 = { bf61 = 989 } }",
        "peaks.H100.bf61: 'bf61' is not one of bf16, fp16, fp32, tf32, fp64, fp8, fp6, fp4, int8, "
        "int4; did you mean 'bf16'?",
        id="a precision that is misspelled",
    ),
    pytest.param(
        "peaks = { H100 = -1 }", "peaks.H100: -1 is not a number above 0", id="below nothing"
    ),
    pytest.param(
        "constants = { vocab = true }",
        "constants.vocab: true is not a number above 0",
        id="a flag for a number",
    ),
]

# What takes the rules, the units and the vocabulary to see.
MEANINGS = [
    pytest.param(
        "constants = { vocab = nan }",
        "constants.vocab: nan is not a number above 0",
        id="not a number at all",
    ),
    pytest.param(
        'relations = ["cost_usd = hours * seconds_of_train_time"]',
        "relations[0]: 'seconds_of_train_time' is not a quantity; `mdbench columns` lists them; "
        "did you mean 'train_time_h' (in h)?",
        id="words that only a header would be guessed from",
    ),
    pytest.param(
        'select = ["MB309"]',
        "select[0]: MB309: no such rule; did you mean MB306?",
        id="a code that no rule has",
    ),
    pytest.param('exclude = ["["]', "exclude[0]: '[' is not a pattern of paths", id="no pattern"),
    pytest.param(
        'columns = { Wall = "steptime" }',
        "columns.Wall: 'steptime' is not a quantity; `mdbench columns` lists them; "
        "did you mean 'step_time_s' (in s)?",
        id="a quantity that is misspelled",
    ),
    pytest.param(
        'columns = { Wall = { quantity = "step_time_s", unit = "GB" } }',
        "columns.Wall: 'GB' is not a unit of step_time_s, which is in 's'",
        id="a unit of another kind",
    ),
    pytest.param(
        'quantities = { queue = "tokns/s" }',
        "quantities.queue: 'tokns/s' is not a unit; allowed are units such as 'ms' or 'tokens/s', "
        "'ratio', and ''; did you mean 'token/s'?",
        id="a unit that is misspelled",
    ),
    pytest.param(
        'quantities = { co2_kg = "kg" }',
        "quantities.co2_kg: 'kg' is not a unit; allowed are units such as 'ms' or 'tokens/s', "
        "'ratio', and ''; for any other unit, write '' and name the unit in the header: CO2 (kg)",
        id="a unit of one's own",
    ),
    pytest.param(
        'quantities = { step_time_s = "s" }',
        "quantities.step_time_s: it already exists; choose another name",
        id="a quantity that there is",
    ),
    pytest.param(
        'quantities = { findings = "" }',
        "quantities.findings: it already exists; choose another name",
        id="a column of the frame that there is",
    ),
    pytest.param(
        'relations = ["mfu = hfu", "cost_usd = trian_time_h * 2"]',
        "relations[1]: 'trian_time_h' is not a quantity; `mdbench columns` lists them; "
        "did you mean 'train_time_h' (in h)?",
        id="a name in a relation",
    ),
    pytest.param(
        'relations = ["cost_usd = time * 2"]',
        "relations[0]: 'time' is ambiguous: use one of step_time_s, time_s, latency_ms, "
        "train_time_h, tpot_ms",
        id="a name that may mean several",
    ),
    pytest.param(
        'relations = ["devices = nodes + 1"]',
        "relations[0]: only *, / and powers are allowed, not sums or differences",
        id="a sum",
    ),
    pytest.param(
        'relations = ["2 * devices = nodes"]',
        "relations[0]: '2 * devices' is not the name of one quantity",
        id="a product on the left",
    ),
    pytest.param(
        'relations = ["devices = devices * nodes"]',
        "relations[0]: devices is on both sides",
        id="the same on both sides",
    ),
    pytest.param(
        'relations = ["devices = 8"]',
        "relations[0]: the right side names no quantity",
        id="a constant as a relation",
    ),
    pytest.param(
        'relations = ["devices = nodes * 0"]',
        "relations[0]: 0 is not greater than 0",
        id="times nothing",
    ),
    pytest.param(
        'relations = ["devices = nodes *"]',
        "relations[0]: 'nodes *' cannot be read as arithmetic",
        id="an equation that breaks off",
    ),
    pytest.param(
        'relations = ["devices = nodes ** 9"]',
        "relations[0]: powers must be integers from 1 to 3",
        id="a great power",
    ),
    pytest.param(
        'relations = ["devices = model * 2"]', "relations[0]: model is not a number", id="words"
    ),
    pytest.param(
        'relations = ["energy_kwh = power_w * train_time_h / 1000"]',
        "relations[0]: 'energy_kwh' is not a quantity; `mdbench columns` lists them; "
        "did you mean 'energy_j' (in J)?",
        id="a name with another unit",
    ),
    pytest.param(
        'relations = ["cost_usd = step_time_ms * 2"]',
        "relations[0]: 'step_time_ms' is not a quantity; `mdbench columns` lists them; "
        "did you mean 'step_time_s' (in s)?",
        id="a time in another unit",
    ),
    pytest.param(
        "constants = { vocb = 50257 }",
        "constants.vocb: 'vocb' is not a quantity; `mdbench columns` lists them; "
        "did you mean 'vocab'?",
        id="a constant that is misspelled",
    ),
    pytest.param(
        "constants = { step_time_s = 2 }",
        "constants.step_time_s: step_time_s is not a setting with a number",
        id="a measurement as a constant",
    ),
    pytest.param(
        "constants = { devices_per_node = 7.5 }",
        "constants.devices_per_node: 7.5 is not a whole number",
        id="half a device",
    ),
]


@pytest.mark.parametrize(("text", "message"), [*SHAPES, *MEANINGS])
def test_what_is_wrong(capfd: pytest.CaptureFixture[str], text: str, message: str) -> None:
    Path("mdbench.toml").write_text(text, encoding="utf-8")
    assert complaint(capfd) == f"mdbench.toml: {message}"


@pytest.mark.parametrize(("text", "message"), SHAPES)
def test_the_schema_sees_it_too(text: str, message: str) -> None:
    assert message
    validator = jsonschema.Draft7Validator(make_schema())
    assert not validator.is_valid(tomllib.loads(text))


def test_in_pyproject_a_table_is_told_in_full(capfd: pytest.CaptureFixture[str]) -> None:
    text = "[tool.mdbench.results]\npaths = ['a']\n"
    Path("pyproject.toml").write_text(text, encoding="utf-8")
    assert complaint(capfd).endswith("move it above [tool.mdbench.results]")


def test_in_pyproject_the_key_is_told_in_full(capfd: pytest.CaptureFixture[str]) -> None:
    Path("pyproject.toml").write_text('[tool.mdbench]\nselect = ["X"]\n', encoding="utf-8")
    assert complaint(capfd).startswith("pyproject.toml: tool.mdbench.select[0]: 'X' is not a code")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            b"select = \n", "invalid TOML: invalid value (at line 1, column 10)", id="no value"
        ),
        pytest.param(
            b'paths = ["\xff"]\n', "is not UTF-8; save it as UTF-8", id="another encoding"
        ),
    ],
)
def test_what_cannot_be_read(
    capfd: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    Path("mdbench.toml").write_bytes(content)
    assert complaint(capfd) == f"mdbench.toml: {message}"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("no.toml", "cannot be read: No such file or directory", id="no file"),
        pytest.param(".", "is a folder, not a configuration file", id="a folder"),
        pytest.param("pyproject.toml", "has no [tool.mdbench]", id="a pyproject of others"),
    ],
)
def test_a_file_that_is_named_must_have_settings(
    capfd: pytest.CaptureFixture[str], name: str, message: str
) -> None:
    Path("pyproject.toml").write_text("[project]\n", encoding="utf-8")
    assert complaint(capfd, "--config", name) == f"{name}: {message}"


def test_a_table_that_is_none(capfd: pytest.CaptureFixture[str]) -> None:
    Path("pyproject.toml").write_text("[tool]\nmdbench = 3\n", encoding="utf-8")
    assert complaint(capfd) == "pyproject.toml: tool.mdbench: is not a table"


@pytest.mark.parametrize("command", ["normalize", "columns", "render", "config"])
def test_every_command_that_reads_reports_says_so(
    capfd: pytest.CaptureFixture[str], command: str
) -> None:
    Path("mdbench.toml").write_text("zzz = 1\n", encoding="utf-8")
    assert main((command, "a.md")) == 2
    assert capfd.readouterr().err.startswith("mdbench: mdbench.toml: zzz: no such setting")
