"""`mdbench lsp` as an editor uses it: diagnostics, hovers, fixes, formatting and hints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from mdbench.cli.main import main

if TYPE_CHECKING:
    from tests.lsp.conftest import Connect, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

PROJECT = Path(__file__).resolve().parent.parent.parent
REPORTS = sorted((PROJECT / "reports").glob("*.md"))
NO_NUMBERS = (
    "| Nodes | Sec/it | Mem |\n|---|---|---|\n| 1 | 4.1 | MiB |\n"
    "| 2 | 2.2 | 5.0 MiB |\n| 4 | 1.2 | MiB |\n"
)
FUGAKU = (PROJECT / "reports" / "fugaku-1.3b.md").read_text(encoding="utf-8")
WRONG = """\
| seqlen | Tokens/s | Samples/s | Iter/s | Global bsz |
|-------:|---------:|----------:|-------:|-----------:|
|   2048 |   413696 |       202 |   0.20 |       1024 |
|   1024 |   524288 |       512 |   0.50 |       1024 |
|    512 |   597504 |      1167 |   1.18 |       1024 |
"""
RIGHT = WRONG.replace("1.18", "1.14")
# Before the wrong cell: two units of UTF-16 for 🚀, one for 日; four and three of UTF-8.
EMOJI = """\
| 機種 | seqlen | Tokens/s | Samples/s | Iter/s | Global bsz |
|---|---|---|---|---|---|
| 日本🚀 | 2048 | 413696 | 202 | 0.20 | 1024 |
| 日本🚀 | 1024 | 524288 | 512 | 0.50 | 1024 |
| 日本🚀 | 512 | 597504 | 1167 | 1.18 | 1024 |
"""
SEVERITIES = {"error": 1, "warning": 2, "info": 3}


def lint(text: str, folder: Path, *options: str) -> str:
    """The output of `mdbench lint` for a text."""
    path = folder / "linted" / "report.md"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    out = folder / "linted" / "out"
    assert main(["lint", str(path), *options, "-o", str(out)]) in (0, 1)
    return out.read_text(encoding="utf-8")


def fixed(text: str, folder: Path, *options: str) -> str:
    """The result of `mdbench lint --fix` for a text."""
    lint(text, folder, "--fix", *options)
    return (folder / "linted" / "report.md").read_bytes().decode()


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.stem)
async def test_an_opened_report_has_the_findings_of_lint(editor: Editor, report: Path) -> None:
    editor.open(report.read_text(encoding="utf-8"))
    shown = [
        (one.code, one.severity, one.range, one.message.partition("\n")[0])
        for one in await editor.findings()
    ]
    found = json.loads(lint(editor.text, editor.folder, "--format", "json"))
    starts = editor.ruler.source.line_starts
    expected = [
        (
            one["code"],
            SEVERITIES[one["severity"]],
            types.Range(
                editor.ruler.position(starts[one["line"] - 1] + one["column"] - 1),
                editor.ruler.position(starts[one["end_line"] - 1] + one["end_column"] - 1),
            ),
            one["message"],
        )
        for one in found
    ]
    assert shown == expected
    assert shown


async def test_a_diagnostic_has_a_link_and_related_locations(editor: Editor) -> None:
    editor.open(FUGAKU)
    found = {one.code: one for one in await editor.findings()}
    wrong = found["MB301"]
    assert (wrong.source, wrong.severity) == ("mdbench", types.DiagnosticSeverity.Error)
    assert wrong.message.startswith("TP 4 should be 8: Nodes 8192 / (DP 1024 × PP 1)")
    assert wrong.code_description is not None
    page = Path(wrong.code_description.href.removeprefix("file://"))
    assert page.read_text(encoding="utf-8").startswith("# MB301 derived-mismatch")
    places = wrong.related_information or ()
    assert places[0].location.uri == editor.uri
    assert places[0].message == "DP 1 × TP 4 × PP 1 / Nodes 4 is 1"
    assert editor.text[editor.ruler.span(places[0].location.range).start] == "1"


async def test_diagnostics_follow_typing(editor: Editor) -> None:
    editor.open(WRONG)
    assert await editor.codes() == ["MB301"]
    editor.change(RIGHT)
    assert await editor.codes() == []
    editor.change(WRONG)
    assert await editor.codes() == ["MB301"]


async def test_documents_are_checked_after_a_pause_in_typing(editor: Editor) -> None:
    editor.open(RIGHT)
    assert await editor.codes() == []
    for digit in range(5):
        editor.change(RIGHT.replace("1.14", f"1.{digit}8"))
    editor.change(WRONG)
    assert await editor.codes() == ["MB301"]
    versions = [one.version for one in editor.published]
    # A slow machine may have caused a pause of its own.
    assert (versions[0], versions[-1], len(versions) < 5) == (1, 7, True)


async def test_closing_clears_and_reopening_checks_again(editor: Editor) -> None:
    editor.open(WRONG)
    assert await editor.codes() == ["MB301"]
    editor.change(WRONG + "\n")
    editor.close()
    await editor.until(lambda: not editor.published[-1].diagnostics)
    before = len(editor.published)
    editor.open(RIGHT + "\n" + WRONG)
    await editor.until(lambda: len(editor.published) > before)
    assert [one.code for one in editor.published[-1].diagnostics] == ["MB301"]


async def test_an_unused_comment_is_tagged_as_unnecessary(editor: Editor) -> None:
    editor.open(f"{RIGHT.rstrip()} <!-- mdbench: ignore MB301 -->\n")
    (found,) = await editor.findings()
    assert found.code == "MB901"
    assert list(found.tags or ()) == [types.DiagnosticTag.Unnecessary]


async def test_a_hover_shows_the_value_and_its_confirmations(editor: Editor) -> None:
    editor.open(WRONG)
    told = await editor.hover("413696")
    assert told.startswith("**Tokens/s** is `tokens_per_s`, a measurement.")
    assert "413696 Tokens/s, between 413695.5 and 413696.5 before rounding" in told
    assert "Verified by:\n\n- `Tokens/s = Samples/s × seqlen`: " in told
    wrong = await editor.hover("1.18")
    assert "Does not hold here:\n\n- `Samples/s = Global bsz × Iter/s`" in wrong
    assert "**MB301** error, 96 % sure: Iter/s 1.18 should be 1.14: 1167 / Global bsz 1024" in wrong


async def test_a_finding_has_its_confidence(editor: Editor) -> None:
    editor.open(WRONG)
    (found,) = await editor.findings()
    assert found.data == {"confidence": 0.96}
    assert "sure" not in found.message


async def test_text_outside_of_tables_has_no_hover(editor: Editor) -> None:
    editor.open(f"Some words.\n\n{WRONG}")
    params = types.HoverParams(editor.document, editor.at("words"))
    assert await editor.client.text_document_hover_async(params) is None


async def test_an_unsafe_fix_is_labelled_and_not_preferred(editor: Editor) -> None:
    editor.open(WRONG)
    fix, *_ = await editor.actions("1.18")
    assert (fix.title, fix.is_preferred) == ("Change to Iter/s 1.14 (MB301, unsafe)", False)
    assert (fix.kind, [one.code for one in fix.diagnostics or ()]) == ("quickfix", ["MB301"])
    assert editor.carry_out(fix) == RIGHT == fixed(WRONG, editor.folder, "--unsafe-fixes")


async def test_a_drifted_number_has_a_quick_fix_until_its_results_agree(editor: Editor) -> None:
    settings, results = editor.folder / "mdbench.toml", editor.folder / "times.json"
    settings.write_text('[results]\ntimes = "times.json"\n', encoding="utf-8")
    results.write_text('[{"threads": 1, "time_s": 9.04}]', encoding="utf-8")
    editor.open("<!-- mdbench: from times -->\n| Threads | Time (s) |\n|--:|--:|\n| 1 | 9.9 |\n")
    assert await editor.codes() == ["MB601"]
    fix, *_ = await editor.actions("9.9", "quickfix")
    assert fix.title == "Write 9.0 (MB601, unsafe)"
    assert editor.carry_out(fix) == editor.text.replace("9.9", "9.0")
    results.write_text('[{"threads": 1, "time_s": 9.92}]', encoding="utf-8")
    editor.save()
    assert await editor.codes(2) == []
    for path in (settings, results):
        path.unlink()


async def test_a_safe_fix_is_preferred(editor: Editor) -> None:
    editor.open(NO_NUMBERS)
    fix, *_ = await editor.actions("MiB |", "quickfix")
    assert (fix.title, fix.is_preferred) == ("Write `-` (all 2 cells) (MB203)", True)
    assert "unsafe" not in fix.title


async def test_a_fix_of_many_cells_is_offered_on_each(editor: Editor) -> None:
    editor.open(FUGAKU)
    for place in ("4096 (2.2Hz)", "1 (2.2Hz)"):
        titles = [one.title for one in await editor.actions(place, "quickfix")]
        assert "Write GHz (all 3 cells) (MB204, unsafe)" in titles


async def test_two_equally_good_fixes_are_both_offered(editor: Editor) -> None:
    editor.open(FUGAKU)
    offered = [one for one in await editor.actions("20033.7 MiB") if "MB302, unsafe" in one.title]
    assert [one.title.partition(" (")[0] for one in offered] == [
        "Move the cells back under their headers",
        "Move the cells back and the measurements to that row",
    ]
    assert not any(one.is_preferred for one in offered)
    assert len({editor.carry_out(one) for one in offered}) == 2


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.stem)
async def test_all_safe_fixes_give_the_same_as_lint_fix(editor: Editor, report: Path) -> None:
    editor.open(report.read_text(encoding="utf-8"))
    expected = fixed(editor.text, editor.folder)
    offered = await editor.actions("# ", "source.fixAll")
    assert [one.kind for one in offered] == ["source.fixAll.mdbench"] * (expected != editor.text)
    assert "".join(map(editor.carry_out, offered)) == expected * bool(offered)


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        ((), {"quickfix", "source.fixAll.mdbench"}),
        (("quickfix",), {"quickfix"}),
        (("source",), {"source.fixAll.mdbench"}),
        (("source.fixAll.mdbench",), {"source.fixAll.mdbench"}),
        (("source.fixAll.other", "refactor"), set()),
    ],
)
async def test_an_editor_gets_the_requested_kinds(
    editor: Editor, only: tuple[str, ...], kinds: set[str]
) -> None:
    editor.open(NO_NUMBERS)
    assert {one.kind for one in await editor.actions("MiB |", *only)} == kinds


@pytest.mark.parametrize("where", ["on this line", "in this table"])
async def test_a_finding_is_suppressed_by_a_comment(editor: Editor, where: str) -> None:
    editor.open(f"# Runs\r\n\r\n{WRONG}".replace("\n", "\r\n").replace("\r\r", "\r"))
    (action,) = [one for one in await editor.actions("1.18") if where in one.title]
    assert (action.title, action.is_preferred) == (f"Ignore MB301 {where}", False)
    editor.change(editor.carry_out(action))
    assert await editor.codes() == []
    assert editor.text.count("\r\n") == editor.text.count("\n")
    line = next(one for one in editor.text.splitlines() if "mdbench: ignore MB301" in one)
    assert ("1.18" in line) == (where == "on this line")


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.stem)
async def test_formatting_is_rendering(
    editor: Editor, report: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    editor.open(report.read_text(encoding="utf-8"))
    edits = await editor.format()
    assert main(["render", str(report)]) == 0
    formatted = editor.apply(edits)
    assert formatted.encode() == capsysbinary.readouterr().out
    editor.change(formatted)
    assert await editor.format() == []


async def test_a_wrong_cell_has_a_hint_with_the_right_value(editor: Editor) -> None:
    editor.open(FUGAKU)
    hints = await editor.hints()
    assert hints[34] == ["⇒ 8"]
    assert hints[12] == ["⇒ 8.38 days"]
    assert all(label.endswith("?") for label in hints[29])
    assert await editor.hints(33, 34) == {34: ["⇒ 8"]}


@pytest.mark.parametrize("encoding", types.PositionEncodingKind, ids=str)
async def test_positions_are_right_in_every_encoding(
    connect: Connect, encoding: types.PositionEncodingKind
) -> None:
    async with connect(encoding) as editor:
        assert editor.encoding == encoding.value
        editor.open(EMOJI)
        (found,) = await editor.findings()
        lead = {"utf-8": 37, "utf-16": 31, "utf-32": 30}[encoding.value]
        assert found.range == types.Range(types.Position(4, lead), types.Position(4, lead + 4))
        assert (await editor.hover("1167")).startswith("**Samples/s**")
        fix, *_ = await editor.actions("1.18")
        assert editor.carry_out(fix) == EMOJI.replace("1.18", "1.14")
        assert await editor.hints() == {5: ["⇒ 1.14"]}
        capital = editor.apply(await editor.format())
        assert [line.count("|") for line in capital.splitlines()] == [7] * 5
