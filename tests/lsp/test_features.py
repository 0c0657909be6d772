"""The parts of `mdbench lsp` without a server: positions, changes, hovers, hints, comments."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from mdbench.config.settings import Settings
from mdbench.diagnosis.confirmations import find_confirmations
from mdbench.linting.checker import check
from mdbench.lsp.diagnostics import make_diagnostics
from mdbench.lsp.document_state import Examination, Manuscript, examine
from mdbench.lsp.hover_markdown import show_code, show_list, show_text, take_out_markup
from mdbench.lsp.hovers import describe_place
from mdbench.lsp.ignores import find_silences
from mdbench.lsp.inlay_hints import find_hints
from mdbench.lsp.positions import Encoding, Ruler
from mdbench.lsp.projects import find_folder
from mdbench.lsp.text_edits import find_changes
from mdbench.rules.findings import Evidence, Finding, Severity
from mdbench.source import Source, Span

PROJECT = Path(__file__).resolve().parent.parent.parent
REPORTS = sorted((PROJECT / "reports").glob("*.md"))
TEXTS = st.text(st.sampled_from("a|日é🚀 \t\r\n\u2028\x0c\ud800"), max_size=40)
CODECS = {Encoding.UTF_8: ("utf-8", 1), Encoding.UTF_16: ("utf-16-le", 2)}
RATES = """\
| seqlen | Tokens/s | Samples/s | Iter/s | Global bsz |
|-------:|---------:|----------:|-------:|-----------:|
|   2048 |   413696 |       202 |   0.20 |       1024 |
|   1024 |   524288 |       512 |   0.50 |       1024 |
|    512 |   597504 |      1167 |   {} |       1024 |
"""
WRONG, RIGHT = RATES.format("1.18"), RATES.format("1.14")


def look_at(text: str) -> Examination:
    return examine(Manuscript("untitled:1", text), Settings("/"))


def tell(text: str, place: str) -> str:
    told = describe_place(look_at(text), text.index(place))
    return "" if told is None else told.text


def count(text: str, encoding: Encoding) -> int:
    """The length of a text, computed by Python."""
    codec, size = CODECS.get(encoding, ("utf-32-le", 4))
    return len(text.encode(codec, "surrogatepass")) // size


@given(TEXTS, st.sampled_from(Encoding), st.booleans())
def test_a_position_round_trips(text: str, encoding: Encoding, bom: bool) -> None:
    ruler = Ruler(Source("", text, bom=bom), encoding)
    for offset in range(len(text) + 1):
        position = ruler.position(offset)
        within_ending = text[offset - 1 : offset + 1] == "\r\n"
        assert ruler.offset(position) == offset - within_ending
        line = ruler.source.line_text(position.line + 1)
        before = line[: offset - ruler.source.line_starts[position.line]]
        lead = "\ufeff" if bom and position.line == 0 else ""
        assert position.character == count(lead + before, encoding)


@pytest.mark.parametrize(
    ("line", "character", "offset"),
    [(0, 0, 0), (0, 1, 0), (0, 2, 1), (0, 3, 2), (0, 99, 2), (1, 0, 4), (7, 0, 5)],
)
def test_an_invalid_position_is_the_nearest_one_before(
    line: int, character: int, offset: int
) -> None:
    assert Ruler(Source("", "🚀a\r\nb")).offset(types.Position(line, character)) == offset


@given(TEXTS, TEXTS)
def test_changes_turn_one_text_into_the_other(old: str, new: str) -> None:
    edits = find_changes(Source("", old), Source("", new))
    assert Source("", old).edited(edits).text == new
    assert bool(edits) == (old != new)


def test_changes_do_not_touch_equal_lines() -> None:
    old = [f"line {number}\n" for number in range(100)]
    new = [*old[:10], "other\n", *old[11:50], *old[51:]]
    edits = find_changes(Source("", "".join(old)), Source("", "".join(new)))
    assert [edit.text for edit in edits] == ["other\n", ""]


@pytest.mark.usefixtures("no_hang")
def test_very_many_changed_lines_are_one_edit() -> None:
    old, new = "| |\n" * 9000 + "a", "||\n" * 9000 + "a"
    (edit,) = find_changes(Source("", old), Source("", new))
    assert edit.span.end == len(old) - 1


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.stem)
def test_a_cell_has_a_confirmation_if_and_only_if_it_is_verified(report: Path) -> None:
    context = look_at(report.read_text(encoding="utf-8")).context
    assert context is not None
    cells = {one.cell.span for sheet in context.sheets for one in sheet.measurements}
    confirmed = {cell for cell in cells if find_confirmations(context.diagnosis, cell)}
    assert confirmed == context.diagnosis.verified & cells


@pytest.mark.parametrize(
    ("text", "place", "formula"),
    [
        pytest.param(RIGHT, "413696", "Tokens/s = Samples/s × seqlen", id="a product"),
        pytest.param(RIGHT, "524288", "Tokens/s = Samples/s × seqlen", id="of another row"),
        pytest.param(
            "8 GPUs a node.\n\n| Nodes | GPUs |\n|---|---|\n| 2 | 16 |\n| 4 | 32 |\n",
            "32",
            "GPUs = Nodes × devices per node",
            id="a setting of the text",
        ),
        pytest.param(
            "| Nodes | DP | TP |\n|---|---|---|\n| 2 | 4 | 4 |\n| 4 | 8 | 4 |\n| 8 | 16 | 4 |\n",
            "16",
            "Nodes = DP × TP / 8",
            id="an inferred whole number",
        ),
        pytest.param(
            "| TFLOPs | MFU |\n|---|---|\n| 156.0 | 50.0% |\n| 124.8 | 40.0% |\n| 93.6 | 30.0% |\n",
            "93.6",
            "TFLOPs / MFU is the same in 3 rows",
            id="an unstated number",
        ),
        pytest.param(
            "| Load (s) | Run (s) | Total (s) |\n|---|---|---|\n"
            "| 1.25 | 3.50 | 4.75 |\n| 2.50 | 4.75 | 7.25 |\n| 1.75 | 9.25 | 11.00 |\n",
            "11.00",
            "Total (s) = Load (s) + Run (s)",
            id="a sum",
        ),
        pytest.param(
            "| Case | Time (ms) | vs baseline (ms) |\n|---|---|---|\n| baseline | 120.50 | - |\n"
            "| b | 230.75 | +110.25 |\n| c | 310.50 | +190.00 |\n| d | 412.25 | +291.75 |\n",
            "+291.75",
            "vs baseline (ms) = Time (ms) - Time (ms) of the baseline",
            id="a difference",
        ),
    ],
)
def test_confirmations_use_the_names_of_the_report(text: str, place: str, formula: str) -> None:
    assert f"- `{formula}`" in tell(text, place).partition("Verified by:")[2]


def test_a_relation_that_holds_for_a_truncated_number_says_so() -> None:
    text = (PROJECT / "reports" / "nanotron-nemo.md").read_text(encoding="utf-8")
    told = tell(text, "0.19 |")
    assert "`Samples/s = Global bsz × Iter/s`" in told
    assert ", if a number was truncated, not rounded" in told


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (
            "Mem",
            [
                "**Mem (GB)** is `memory_mib`",
                "Numbers without a unit are in `GB`.",
                "0 of 2 numbers verified",
            ],
        ),
        ("Thing", ["**Thing**: unknown quantity"]),
        (
            "5.25",
            [
                "5.25 GB, between 5.245 and 5.255 before rounding",
                "marked `*`",
                "note: warm",
                "Not verif",
            ],
        ),
        ("OOM", ["`OOM`: oom"]),
        ("gpt\\_2", ["is `model`, an identity", "`gpt\\_2`"]),
        ("`4`", ["4 node, a count"]),
        ("64", ["is `global_batch`, a setting", "64, a count", "table on line 5."]),
        ("wat", ["**Thing**: unknown quantity", "`wat`"]),
    ],
)
def test_a_hover_describes_its_place(place: str, words: list[str]) -> None:
    text = (
        "# Runs\n\n- global batch size: 64\n\n"
        "| Model | Nodes | Mem (GB) | Thing |\n|---|---|---|---|\n"
        "| gpt\\_2 | `4` | 5.25* (warm) | wat |\n| gpt\\_2 | 8 | OOM | no |\n| x | 2 | 7.5 | y |\n"
    )
    told = tell(text, place)
    assert [word for word in words if word not in told] == []


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (
            "3-5",
            [
                "3 GB, between 2.5 and 3.5 before rounding",
                "5 GB, between 4.5 and 5.5 before rounding",
            ],
        ),
        ("1.2 ± 0.1", ["1.2 GB, give or take 0.1"]),
        ("~5", ["about 5 GB"]),
        (
            "2.5 (1.2x)",
            ["2.5 GB, between 2.45 and 2.55 before rounding; note: 1.2x", "1.2 x, between"],
        ),
    ],
)
def test_a_hover_shows_a_number_as_printed(raw: str, told: list[str]) -> None:
    text = f"| Nodes | Mem (GB) |\n|---|---|\n| 4 | {raw} |\n| 8 | 7.5 |\n| 16 | 9.5 |\n"
    title, *values = tell(text, raw).split("\n\n")[: len(told) + 1]
    assert title.startswith("**Mem (GB)** is `memory_mib`")
    assert [value[: len(start)] for value, start in zip(values, told, strict=True)] == told


def test_missing_and_empty_cells_have_hovers() -> None:
    text = "| Nodes | TFLOPs |\n|---|---|\n| 4 |   |\n| 8 |"
    assert "Empty: missing" in tell(text, "  |\n| 8")
    told = describe_place(look_at(text), len(text))
    assert told is not None
    assert "The row ends before this cell." in told.text


@pytest.mark.parametrize("place", ["# Runs", "|---", "words"])
def test_other_places_have_no_hover(place: str) -> None:
    assert tell(f"# Runs\n\n{RIGHT}\nwords", place) == ""


def test_a_transposed_table_is_read_by_its_rows() -> None:
    rows = (
        "| Nodes | 4 | 8 |",
        "| TFLOPs | 0.86 | 0.85 |",
        "| TP | 2 | 4 |",
        "| Mem | 3 GB | 5 GB |",
    )
    text = "\n".join(("|  | run 1 | run 2 |", "|---|---|---|", *rows))
    assert tell(text, "0.85").startswith("**TFLOPs** is `tflops_per_device`")
    assert "0 of 2 numbers verified." in tell(text, "TFLOPs")


def test_a_hint_shows_the_recomputed_number() -> None:
    (hint,) = find_hints(look_at(WRONG))
    assert (WRONG[slice(*hint.span)], hint.text, hint.sure) == ("1.18", "1.14", True)
    assert list(find_hints(look_at(RIGHT))) == []


def test_notation_has_no_hint() -> None:
    text = (
        "| Nodes | Sec/it | Mem |\n|---|---|---|\n| 1 | 4.1 | MiB |\n"
        "| 2 | 2.2 | 5.0 MiB |\n| 2 | 2.2 | 5.0 MiB |\n"
    )
    done = look_at(text)
    assert {one.code for one in done.findings} == {"MB103", "MB203"}
    assert list(find_hints(done)) == []


@pytest.mark.parametrize(
    ("before", "lead", "behind"),
    [
        pytest.param("", "", "\n", id="a table"),
        pytest.param("Words.\n", "", "\n", id="a table below words"),
        pytest.param("", "> ", "\n", id="a quote"),
        pytest.param("- item\n\n", "  ", "\n", id="a list"),
        pytest.param("```\n", "", "```\n", id="a block of code"),
    ],
)
def test_a_comment_is_offered_only_where_it_works(before: str, lead: str, behind: str) -> None:
    text = before + "".join(f"{lead}{line}\n" for line in WRONG.splitlines()) + behind
    done = look_at(text)
    (finding,) = done.findings
    offered = dict(find_silences(done, finding))
    in_code = before.startswith("```")
    assert list(offered) == (["in this table"] if in_code else ["on this line", "in this table"])
    for edit in offered.values():
        assert check(Source("", text).edited([edit])) == ()


def test_an_unused_comment_is_not_suppressed_by_another() -> None:
    done = look_at(f"{RIGHT.rstrip()} <!-- mdbench: ignore MB301 -->\n")
    (finding,) = done.findings
    assert (finding.code, find_silences(done, finding)) == ("MB901", ())


def test_evidence_is_in_the_message_without_related_locations() -> None:
    evidence = Evidence("there too", Span(4, 5)), Evidence("just so")
    finding = Finding("MB301", "x", Severity.WARNING, Span(0, 1), "wrong", evidence)
    done = Examination(Manuscript("file:///a.md", ""), Source("a", "a\n\nbc"), (finding,))
    (apart,) = make_diagnostics(done, Ruler(done.source))
    (inside,) = make_diagnostics(done, Ruler(done.source), related=False)
    assert apart.message == "wrong\njust so"
    assert [one.message for one in apart.related_information or ()] == ["there too"]
    assert inside.message == "wrong\nthere too (line 3)\njust so"
    assert inside.related_information is None


@pytest.mark.parametrize(
    ("uri", "folders", "folder"),
    [
        ("file:///a/b/c.md", ["file:///a"], "/a/b"),
        ("file:///a/b%20c/%E6%97%A5.md", [], "/a/b c"),
        ("untitled:1", ["vscode-vfs://x/y", "file:///a%20b"], "/a b"),
    ],
)
def test_settings_are_searched_next_to_a_document(
    uri: str, folders: list[str], folder: str
) -> None:
    assert find_folder(Manuscript(uri, ""), folders) == folder


def test_without_a_folder_settings_are_searched_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_folder(Manuscript("untitled:1", ""), [""]) == str(tmp_path)


def test_texts_of_a_report_are_escaped() -> None:
    assert show_text("a_b *c* | <d>") == "a\\_b \\*c\\* \\| \\<d\\>"
    assert show_text("the mark `^` is_odd") == "the mark `^` is\\_odd"
    assert show_text("one ` tick") == "one \\` tick"
    assert show_code("a `b` c") == "`` a `b` c ``"
    assert take_out_markup("**a** " + show_text("b_c")) == "a b_c"
    assert show_list("t", list("abcdefgh")).splitlines()[-2:] == ["- f", "- and 2 more"]
