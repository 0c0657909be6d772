"""The configuration: where it is found, what each setting does, and what wins over what."""

from __future__ import annotations

import json
import pickle
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mdbench.vocabulary.extensions import CustomColumn, Extensions
from mdbench.vocabulary.headers import read_header
from mdbench.vocabulary.quantities import extended_vocabulary, standard_vocabulary
from tests.conftest import Run

STANDARD = standard_vocabulary()

RAGGED = "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 4 | 23.6 | 8 |\n"
REPEATED = "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 2 | 47.1 |\n"
BILLED = """| GPUs | Wall | Bill |
|-----:|-----:|-----:|
|    8 |  120 | 29.8 |
|   16 |   60 | 29.8 |
|   32 |   60 | 95.5 |
"""
BILLING = """
relations = ["cost_usd = train_time_h * devices * 1.86"]
[columns]
Bill = "cost_usd"
Wall = { quantity = "train_time_h", unit = "min" }
"""


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def found(run: Run, *arguments: str) -> list[tuple[str, int, str]]:
    return run("lint", "--format", "json", *arguments).findings


def settings(run: Run, *arguments: str) -> dict[str, Any]:
    """What `mdbench config` prints, which is TOML."""
    return tomllib.loads(run("config", *arguments).out)


# Where it is found


def test_mdbench_toml_wins_over_pyproject_in_the_same_folder(run: Run) -> None:
    write("mdbench.toml", 'fail-on = "error"\n')
    write("pyproject.toml", '[tool.mdbench]\nfail-on = "info"\n')
    assert settings(run)["fail-on"] == "error"


def test_the_nearest_file_counts_and_no_other(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("mdbench.toml", 'fail-on = "info"\nignore = ["MB1"]\n')
    write("inner/pyproject.toml", '[tool.mdbench]\nfail-on = "error"\n')
    write("inner/deep/a.md", RAGGED)
    monkeypatch.chdir(tmp_path / "inner" / "deep")
    assert settings(run)["fail-on"] == "error"
    assert settings(run)["ignore"] == []


def test_a_pyproject_of_something_else_is_passed_by(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("mdbench.toml", 'fail-on = "info"\n')
    write("inner/pyproject.toml", '[project]\ndependencies = ["mdbench"]\n')
    monkeypatch.chdir(tmp_path / "inner")
    assert settings(run)["fail-on"] == "info"


@pytest.mark.parametrize(
    "text",
    [
        '[tool.mdbench]\nfail-on = "error"\n',
        ' [ tool . "mdbench" ] # ours\nfail-on = "error"\n',
        "['tool'.mdbench]\nfail-on = 'error'\n",
        '\ufeff[tool]\nmdbench.fail-on = "error"\n',
        'tool.mdbench.fail-on = "error"\n',
        'tool = { mdbench = { fail-on = "error" } }\n',
        '["\\u0074ool"."mdbench"]\nfail-on = "error"\n',
        '[project]\r\nname = "a"\r\n[tool.mdbench]\r\nfail-on = "error"\r\n',
    ],
)
def test_settings_are_found_in_a_pyproject_however_they_are_written(run: Run, text: str) -> None:
    Path("pyproject.toml").write_bytes(text.encode())
    assert settings(run)["fail-on"] == "error"


def test_it_is_looked_for_from_the_folder_of_a_report(run: Run) -> None:
    write("elsewhere/mdbench.toml", 'ignore = ["MB101"]\n')
    write("elsewhere/a.md", RAGGED)
    write("here/a.md", RAGGED)
    assert ("here/a.md", 4, "MB101") in found(run, "here/a.md")
    assert ("elsewhere/a.md", 4, "MB101") not in found(run, "elsewhere/a.md")


def test_a_file_that_is_named_counts_instead_of_the_nearest(run: Run) -> None:
    write("mdbench.toml", 'fail-on = "info"\n')
    write("ci/strict.toml", 'fail-on = "error"\n')
    assert settings(run, "--config", "ci/strict.toml")["fail-on"] == "error"


# Which files


def test_paths_are_relative_to_the_file_and_hold_where_none_are_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("mdbench.toml", 'paths = ["results"]\n')
    write("results/a.md", RAGGED)
    write("other/b.md", RAGGED)
    assert {path for path, _, _ in found(run)} == {"results/a.md"}
    assert {path for path, _, _ in found(run, "other")} == {"other/b.md"}
    monkeypatch.chdir(tmp_path / "other")
    assert {path for path, _, _ in found(run)} == {"../results/a.md"}


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        pytest.param('["drafts/"]', {"a.md", "old/c.md"}, id="a folder at any depth"),
        pytest.param('["/old"]', {"a.md", "in/drafts/b.md"}, id="a path from the file's folder"),
        pytest.param('["*.md", "!a.md"]', {"a.md"}, id="all but one"),
        pytest.param("[]", {"a.md", "in/drafts/b.md", "old/c.md"}, id="nothing"),
    ],
)
def test_what_is_excluded_is_left_out_in_folders(run: Run, patterns: str, left: set[str]) -> None:
    write("mdbench.toml", f"exclude = {patterns}\n")
    for name in ("a.md", "in/drafts/b.md", "old/c.md"):
        write(name, RAGGED)
    assert {path for path, _, _ in found(run, ".")} == left


def test_an_excluded_file_that_is_named_is_read_unless_that_is_forced(run: Run) -> None:
    write("mdbench.toml", 'exclude = ["drafts/"]\n')
    write("drafts/a.md", RAGGED)
    assert found(run, "drafts/a.md")
    assert found(run, "drafts/a.md", "--force-exclude") == []


# Which rules


@pytest.mark.parametrize(
    ("text", "options", "code", "wanted"),
    [
        pytest.param('select = ["MB3"]', "", "MB101", False, id="only what is selected"),
        pytest.param('ignore = ["MB1"]', "", "MB101", False, id="not what is ignored"),
        pytest.param('select = ["MB3"]', "--select MB1", "MB101", True, id="--select replaces"),
        pytest.param('ignore = ["MB101"]', "--ignore MB2", "MB101", True, id="--ignore replaces"),
        pytest.param(
            'ignore = ["MB101"]', "--select MB101", "MB101", True, id="--select of what is ignored"
        ),
        pytest.param(
            'ignore = ["MB101"]', "--select MB1", "MB101", False, id="--select of its family"
        ),
        pytest.param(
            'select = ["MB101"]', "--ignore MB1", "MB101", False, id="--ignore of a family"
        ),
    ],
)
def test_the_rules_that_are_checked(
    run: Run, text: str, options: str, code: str, wanted: bool
) -> None:
    write("mdbench.toml", text)
    write("a.md", RAGGED)
    assert (code in {one for _, _, one in found(run, "a.md", *options.split())}) is wanted


@pytest.mark.parametrize("pattern", ["old/*.md", "old", "old/", "a.md", "**/a.md", "/old/a.md"])
def test_rules_are_ignored_in_files_that_match(run: Run, pattern: str) -> None:
    write("mdbench.toml", f'select = ["MB101"]\nper-file-ignores = {{ "{pattern}" = ["MB1"] }}\n')
    write("old/a.md", RAGGED)
    write("new/b.md", RAGGED)
    assert found(run, "old", "new") == [("new/b.md", 4, "MB101")]


def test_fail_on_decides_the_exit_code_and_the_option_wins(run: Run) -> None:
    write("mdbench.toml", 'fail-on = "error"\n')
    write("a.md", REPEATED)
    assert run("lint", "a.md").code == 0
    assert run("lint", "a.md", "--fail-on", "warning").code == 1


# What is known


def test_a_header_means_what_the_configuration_says(run: Run) -> None:
    write("mdbench.toml", '[columns]\n"Sternzeit" = { quantity = "step_time_s", unit = "ms" }\n')
    write("a.md", "| Nodes | Sternzeit | Sternzeit (s) |\n|--|--|--|\n| 2 | 500 | 0.5 |\n")
    assert '"step_time_s": 0.5' in run("normalize", "a.md", "--format", "jsonl").out
    assert "step_time_s [s]" in run("columns", "a.md").out


def test_without_a_unit_bare_numbers_are_in_the_unit_of_the_quantity(run: Run) -> None:
    write("mdbench.toml", '[columns]\nSternzeit = "latency_ms"\n')
    write("a.md", "| Nodes | Sternzeit |\n|--|--|\n| 2 | 500 |\n")
    assert '"latency_ms": 500.0' in run("normalize", "a.md", "--format", "jsonl").out


def test_a_header_that_is_open_is_decided(run: Run) -> None:
    write("a.md", "| Nodes | Speed |\n|--|--|\n| 2 | 47.1 |\n")
    assert "undecided" in run("columns", "a.md").out
    write("mdbench.toml", '[columns]\nSpeed = "tokens_per_s"\n')
    assert "Speed  tokens_per_s" in run("columns", "a.md").out


def test_a_new_quantity_has_a_column_of_the_frame(run: Run) -> None:
    write(
        "mdbench.toml",
        '[quantities.queue_time_s]\nunit = "s"\nspellings = ["Waiting"]\n',
    )
    write("a.md", "| Nodes | Waiting |\n|--|--|\n| 2 | 3.5 |\n")
    row = json.loads(run("normalize", "a.md", "--format", "jsonl").out)
    assert row["queue_time_s"] == 3.5
    assert row["extra"] == {}


def test_a_new_quantity_in_seconds_is_named_with_its_unit(run: Run) -> None:
    write("mdbench.toml", '[quantities]\nqueue_time_s = "s"\n')
    write("a.md", "| Nodes | Queue time (s) |\n|--|--|\n| 2 | 3.5 |\n")
    row = json.loads(run("normalize", "a.md", "--format", "jsonl").out)
    assert row["queue_time_s"] == 3.5


def test_a_relation_finds_and_fixes_what_breaks_it(run: Run) -> None:
    write("mdbench.toml", BILLING)
    write("a.md", BILLED)
    (finding,) = json.loads(run("lint", "a.md", "--format", "json").out)
    assert (finding["code"], finding["line"]) == ("MB301", 5)
    assert " should be 59.5: " in finding["message"]
    assert "(the relation cost_usd = train_time_h * devices * 1.86)" in finding["message"]
    Path("mdbench.toml").unlink()
    assert found(run, "a.md") == []


def test_a_relation_that_no_row_follows(run: Run) -> None:
    write("mdbench.toml", BILLING)
    write("a.md", BILLED.replace("29.8", "48.0"))
    assert found(run, "a.md") == [("a.md", line, "MB301") for line in (3, 4, 5)]


def test_a_relation_is_believed_though_no_row_follows_it(run: Run) -> None:
    write("mdbench.toml", BILLING)
    write("a.md", "| GPUs | Wall | Bill |\n|--|--|--|\n| 8 | 120 | 44.1 |\n")
    assert [code for _, _, code in found(run, "a.md")] == ["MB301"]


@pytest.mark.parametrize(
    ("relation", "fix"),
    [
        pytest.param("cost_usd = hours * GPUs * 1.86", "59.5", id="names that tables use"),
        pytest.param("cost_usd = train_time_h / (1 / devices) * 1.86", "59.5", id="a quotient"),
        pytest.param("cost_usd = 1.86 * devices * time_s / 3600", "", id="other columns"),
    ],
)
def test_relations_are_arithmetic(run: Run, relation: str, fix: str) -> None:
    write("mdbench.toml", BILLING.replace("cost_usd = train_time_h * devices * 1.86", relation))
    write("a.md", BILLED)
    assert (fix in run("lint", "a.md").out) if fix else found(run, "a.md") == []


@pytest.mark.parametrize("integer", [True, False])
def test_all_digits_of_a_whole_number_count(run: Run, integer: bool) -> None:
    kind = f'{{ unit = "", integer = {str(integer).lower()} }}'
    relation = 'relations = ["tests_per_min = tests * 60 / time_s"]'
    write("mdbench.toml", f"{relation}\n[quantities]\ntests = {kind}\ntests_per_min = {kind}\n")
    rows = "| a | 4200 | 1:10:00 | 62 |\n| b | 2600 | 0:20:00 | 130 |\n"
    write("a.md", f"| Suite | Tests | Time | Tests per min |\n|--|--|--|--|\n{rows}")
    assert found(run, "a.md") == ([("a.md", 3, "MB301")] if integer else [])


def test_a_constant_counts_where_the_report_states_nothing(run: Run) -> None:
    write("mdbench.toml", "[constants]\ndevices_per_node = 8\n")
    body = "| 1 | 8 | 9.1 |\n| 2 | 16 | 8.1 |\n| 4 | 30 | 7.3 |\n"
    rows = f"| Nodes | GPUs | Sec/it |\n|--|--|--|\n{body}"
    write("a.md", rows)
    write("b.md", f"4 GPUs per node: devices_per_node = 4\n\n{rows}")
    assert ("a.md", 5, "MB301") in found(run, "a.md")
    assert "should be 32: Nodes 4 × devices per node 8" in run("lint", "a.md").out
    assert "devices_per_node 8" not in run("lint", "b.md").out
    assert '"devices_per_node": null' in run("normalize", "a.md", "--format", "jsonl").out


def test_what_another_table_says_of_a_run_counts_before_a_constant(run: Run) -> None:
    write("mdbench.toml", "[constants]\ndevices = 8\n")
    head = "| | small | middle | large |\n|--|--|--|--|\n"
    sizes = f"{head}| GPUs | 16 | 32 | 64 |\n| Layers | 12 | 24 | 48 |\n"
    rates = f"{head}| Tokens/s | 1624 | 3190 | 9291 |\n| Tokens/s/GPU | 101.5 | 99.7 | 98.3 |\n"
    write("a.md", f"{sizes}\n{rates}")
    assert ("a.md", 8, "MB301") in found(run, "a.md")


PEAKED = "# On {}\n\n| Nodes | TFLOPs | Precision |\n|--|--|--|\n| 2 | 1200 | {} |\n"


@pytest.mark.parametrize(
    ("device", "precision", "above"),
    [
        pytest.param("H100", "bf16", True, id="the peak of its precision"),
        pytest.param("H100", "bfloat16", True, id="its precision in another spelling"),
        pytest.param("H100", "fp8", False, id="a precision that does more"),
        pytest.param("H100", "int8", False, id="a precision that is not listed: the most of all"),
        pytest.param("A100", "bf16", True, id="another device by the table of mdbench"),
    ],
)
def test_peaks(run: Run, device: str, precision: str, above: bool) -> None:
    write("mdbench.toml", "[peaks]\nH100 = { bf16 = 989, fp8 = 1979 }\n")
    write("a.md", PEAKED.format(device, precision))
    assert (("a.md", 5, "MB502") in found(run, "a.md")) is above


def test_a_peak_checks_the_utilization(run: Run) -> None:
    rows = "| 2 | 400 | 40.4% |\n| 4 | 420 | 42.5% |\n| 8 | 430 | 53.5% |\n"
    write("a.md", f"# On H100, bf16\n\n| Nodes | TFLOPs | MFU |\n|--|--|--|\n{rows}")
    write("mdbench.toml", "[peaks]\nH100 = 989\n")
    assert "peak tflops 989" in run("lint", "a.md").out


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_it_reaches_the_processes_that_read(run: Run) -> None:
    write("mdbench.toml", BILLING)
    for number in range(70):
        write(f"reports/{number:02}.md", BILLED)
    codes = found(run, "--jobs", "2")
    assert len(codes) == 70
    assert {code for _, _, code in codes} == {"MB301"}


# Extensions


def test_an_extension_counts_in_its_own_vocabulary_only() -> None:
    extended = extended_vocabulary(Extensions(columns=(CustomColumn("Sternzeit", "step_time_s"),)))
    assert read_header("Sternzeit", extended).quantity == extended.lookup("Sternzeit")
    assert read_header("Sternzeit", extended).quantity is not None
    assert read_header("Sternzeit", STANDARD).quantity is None
    assert STANDARD.lookup("Sternzeit") is None


def test_extensions_that_were_sent_to_another_process_are_the_same() -> None:
    extensions = Extensions(columns=(CustomColumn("Sternzeit", "step_time_s"),))
    copy = pickle.loads(pickle.dumps(extensions))
    assert extended_vocabulary(copy) is extended_vocabulary(extensions)
