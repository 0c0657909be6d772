"""Comments suppress findings in their scope, and unused comments are reported."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.linting.plan import Options
from mdbench.linting.selection import Selection
from mdbench.rules.findings import Safety
from mdbench.source import Source

HEAD = "| Nodes | Sec/it |\n|--|--|\n"
TWICE = "| 2 | 47.1 |\n| 2 | 47.1 |\n"


def codes(text: str, *select: str) -> list[str]:
    options = Options(Selection(select or ("MB1", "MB2", "MB9")))
    return [one.code for one in check(Source("case.md", text), options)]


def lines(text: str) -> list[tuple[int, str]]:
    source = Source("case.md", text)
    options = Options(Selection(("MB1", "MB2", "MB9")))
    return [(source.line(one.span.start), one.code) for one in check(source, options)]


def fixed(text: str) -> str:
    """The text after the safe fixes of unused comments."""
    source = Source("case.md", text)
    found = check(source, Options(Selection(("MB1", "MB2", "MB9"))))
    fixes = [one.fixes[0] for one in found if one.code == "MB901" and one.fixes]
    assert all(fix.safety is Safety.SAFE for fix in fixes)
    return source.edited(edit for fix in fixes for edit in fix.edits).text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{HEAD}| 2 | 4 |\n| 2 | 4 | <!-- mdbench: ignore MB103 -->\n", id="row"),
        pytest.param(f"{HEAD}| 2 | 4 |\n| 2 | 4 <!-- mdbench: ignore MB103 --> |\n", id="cell"),
        pytest.param(f"<!-- mdbench: ignore MB103 -->\n{HEAD}{TWICE}", id="line before the table"),
        pytest.param(f"<!-- mdbench: ignore MB103 -->\n\n{HEAD}{TWICE}", id="blank line between"),
        pytest.param(f"{HEAD}{TWICE}\n<!-- mdbench: ignore-file MB103 -->\n", id="whole file"),
        pytest.param(f"<!-- mdbench: ignore MB1 -->\n{HEAD}{TWICE}", id="prefix"),
        pytest.param(f"<!-- mdbench: ignore -->\n{HEAD}{TWICE}", id="everything"),
        pytest.param(f"<!--mdbench:ignore mb103-->\n{HEAD}{TWICE}", id="written tightly"),
        pytest.param(f"<!-- mdbench: ignore MB103: on purpose -->\n{HEAD}{TWICE}", id="a reason"),
        pytest.param(f"<!-- mdbench: ignore MB103 (on purpose) -->\n{HEAD}{TWICE}", id="brackets"),
        pytest.param(f"> <!-- mdbench: ignore MB103 -->\n> {HEAD}".replace("\n|", "\n> |")
                     + "> | 2 | 47.1 |\n> | 2 | 47.1 |\n", id="in a quote"),
        pytest.param("# Later <!-- mdbench: ignore MB105 -->\n", id="heading"),
        pytest.param("<!-- mdbench: ignore MB105 -->\n# Later\n", id="line before a heading"),
    ],
)  # fmt: skip
def test_a_comment_suppresses(text: str) -> None:
    assert codes(text) == []


def test_several_codes_in_one_comment() -> None:
    table = f"{HEAD}{TWICE}| | |\n"
    assert codes(table) == ["MB103", "MB102"]
    assert codes(f"<!-- mdbench: ignore MB102, MB103 -->\n{table}") == []
    assert codes(f"<!-- mdbench: ignore MB102 MB103 -->\n{table}") == []


def test_a_comment_after_a_row_applies_to_that_row_only() -> None:
    rows = "| 2 | 47.1 |\n| 2 | 47.1 | <!-- mdbench: ignore MB103 -->\n| 2 | 47.1 |\n"
    assert lines(HEAD + rows) == [(5, "MB103")]


@pytest.mark.parametrize("place", ["before", "behind"])
def test_a_comment_is_not_part_of_its_row(place: str) -> None:
    head = "| Nodes | TP | GBS | Sec/it |\n|--|--|--|--|\n"
    row, again = "| 4 | 4 | 256 | 2533.0 |", "| 4 | 4 | 256 | 2857.8 |"
    comment = "<!-- mdbench: ignore MB403 -->"
    assert codes(f"{head}{row}\n\n{head}{again}\n", "MB4", "MB9") == ["MB403"]
    before, behind = (f"{comment}\n", "") if place == "before" else ("", f" {comment}")
    text = f"{head}{row}\n\n{before}{head}{again}{behind}\n"
    assert codes(text, "MB4", "MB9") == []


def test_a_comment_before_a_table_applies_to_that_table_only() -> None:
    text = f"<!-- mdbench: ignore MB103 -->\n{HEAD}{TWICE}\n{HEAD}{TWICE}"
    assert lines(text) == [(10, "MB103")]


@pytest.mark.parametrize(
    "comment",
    [
        pytest.param("```\n<!-- mdbench: ignore-file MB103 -->\n```\n", id="fence"),
        pytest.param("    <!-- mdbench: ignore-file MB103 -->\n", id="indented code"),
        pytest.param("Write `<!-- mdbench: ignore-file MB103 -->` for it.\n", id="inline code"),
        pytest.param("Write ``<!-- mdbench: ignore-file -->`` for it.\n", id="two backticks"),
    ],
)
def test_a_comment_in_code_is_an_example(comment: str) -> None:
    assert codes(f"{comment}\n{HEAD}{TWICE}") == ["MB103"]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        pytest.param(
            f"{HEAD}| 2 | 4 | <!-- mdbench: ignore MB103 -->\n", f"{HEAD}| 2 | 4 |\n", id="row"
        ),
        pytest.param(
            f"Text.\n\n<!-- mdbench: ignore MB1 MB2 -->\n{HEAD}| 2 | 47.1 |\n",
            f"Text.\n\n{HEAD}| 2 | 47.1 |\n",
            id="line",
        ),
        pytest.param(
            "One.\n<!-- mdbench: ignore-file MB2 -->\nTwo.\n",
            "One.\n\nTwo.\n",
            id="between paragraphs, which stay separate",
        ),
        pytest.param(
            f"<!-- mdbench: ignore MB102, MB103 -->\n{HEAD}{TWICE}",
            f"<!-- mdbench: ignore MB103 -->\n{HEAD}{TWICE}",
            id="one code of two",
        ),
        pytest.param("Text. <!-- mdbench: ignore-file MB2 -->", "Text.", id="end of the file"),
        pytest.param(
            "Text.\r\n\r\n<!-- mdbench: ignore-file MB2 -->\r\n", "Text.\r\n\r\n", id="CRLF"
        ),
    ],
)
def test_an_unused_comment_is_reported_and_its_fix_removes_it(text: str, after: str) -> None:
    assert codes(text) == ["MB901"]
    assert fixed(text) == after
    assert codes(after) == []


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("<!-- mdbench: ignore MB1O3 -->", "`MB1O3` is not a rule code"),
        (
            "<!-- mdbench: ignore duplicate-rows -->",
            "`duplicate-rows` is not a rule code or name; did you mean duplicate-row?",
        ),
        (
            "<!-- mdbench: ignroe MB103 -->",
            "`ignroe` is no word that mdbench knows; did you mean `ignore`?",
        ),
        ("<!-- mdbench: disable-line MB103 -->", "did you mean `ignore`?"),
        ("<!-- mdbench: disable-file MB103 -->", "did you mean `ignore-file`?"),
        (
            "<!-- mdbench: form runs -->",
            "`form` is no word that mdbench knows; did you mean `from`?",
        ),
        ("<!-- mdbench: form runs where a > 1 -->", "did you mean `from`?"),
        ("<!-- mdbench: enable MB103 -->", "there is no `disable MB103` before it"),
        ("<!-- mdbench: enable -->", "there is no `disable` before it"),
        ("<!-- mdbench-disable MB103 -->", "write `<!-- mdbench: disable MB103 -->`"),
        ("<!-- mdbench ignore -->", "write `<!-- mdbench: ignore -->`"),
        (
            "<!-- mdbench_ignroe MB103, mixed-units: why -->",
            "`<!-- mdbench: ignore MB103, mixed-units -->`",
        ),
        ("<!-- MDBENCH-disable-line duplicate-row -->", "`<!-- mdbench: ignore duplicate-row -->`"),
    ],
)
def test_an_invalid_comment_suppresses_nothing_and_is_reported(comment: str, said: str) -> None:
    found = check(
        Source("case.md", f"{comment}\n{HEAD}{TWICE}"), Options(Selection(("MB1", "MB9")))
    )
    assert [one.code for one in found] == ["MB901", "MB103"]
    assert said in found[0].message


def test_an_unknown_code_is_unused() -> None:
    assert codes("<!-- mdbench: ignore-file MB199 -->\n", "MB9") == ["MB901"]


def test_comments_for_rules_that_did_not_run_are_not_reported() -> None:
    text = "<!-- mdbench: ignore-file MB102 -->\n\nText.\n"
    assert codes(text, "MB9") == []
    assert codes(text, "MB102", "MB9") == ["MB901"]


def test_a_blanket_comment_is_reported_only_if_every_rule_ran() -> None:
    text = "<!-- mdbench: ignore-file -->\n\nText.\n"
    assert codes(text, "MB1", "MB9") == []
    assert codes(text, "MB") == ["MB901"]


def test_a_comment_can_suppress_unused_comments() -> None:
    text = "<!-- mdbench: ignore-file MB901 -->\n<!-- mdbench: ignore-file MB102 -->\n\nText.\n"
    assert codes(text) == []


def test_a_comment_does_not_suppress_itself() -> None:
    assert codes("<!-- mdbench: ignore-file MB901 -->\n\nText.\n") == ["MB901"]


def test_a_blanket_comment_does_not_hide_unused_comments() -> None:
    text = f"<!-- mdbench: ignore-file MB102 -->\n<!-- mdbench: ignore -->\n{HEAD}{TWICE}"
    assert codes(text) == ["MB901"]


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- mdbench results of the second machine -->",
        "<!-- mdbench ignores this table -->",
        "<!-- mdbench disable the cache before measuring -->",
        "<!-- markdownlint-disable MD013 -->",
        "<!-- prettier-ignore -->",
        "`<!-- mdbench-disable MB103 -->`",
        "```\n<!-- mdbench-disable MB103 -->\n```",
        "We ran mdbench ignore and all.",
    ],
)
def test_a_comment_that_is_not_meant_for_us_is_left_alone(comment: str) -> None:
    assert codes(f"{comment}\n\n{HEAD}| 2 | 4 |\n") == []


def test_names_of_rules_in_a_comment() -> None:
    assert codes(f"<!-- mdbench: ignore duplicate-row -->\n{HEAD}{TWICE}") == []
    assert codes(f"<!-- mdbench: ignore Duplicate-Row, MB102 -->\n{HEAD}{TWICE}| | |\n") == []
    text = f"<!-- mdbench: ignore duplicate-row, mixed-units -->\n{HEAD}{TWICE}"
    (finding,) = check(Source("case.md", text), Options(Selection(("MB1", "MB2", "MB9"))))
    assert finding.message.endswith("there is no finding of mixed-units here")
    assert fixed(text) == f"<!-- mdbench: ignore duplicate-row -->\n{HEAD}{TWICE}"


TABLE = f"{HEAD}{TWICE}\n"
OFF, ON = "<!-- mdbench: disable MB103 -->\n\n", "<!-- mdbench: enable MB103 -->\n\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(f"{TABLE}{OFF}{TABLE}{ON}{TABLE}", [(4, "MB103"), (18, "MB103")], id="region"),
        pytest.param(f"{TABLE}{OFF}{TABLE}{TABLE}", [(4, "MB103")], id="to the end of the file"),
        pytest.param(
            f"<!-- mdbench: disable -->\n\n{TABLE}<!-- mdbench: enable -->\n\n{TABLE}",
            [(13, "MB103")],
            id="every rule",
        ),
        pytest.param(
            f"<!-- mdbench: disable MB103 MB102 -->\n\n{TABLE}{ON}{HEAD}{TWICE}| | |\n",
            [(13, "MB103")],
            id="one rule is enabled, the other not",
        ),
        pytest.param(f"{OFF}{TABLE}{OFF}{TABLE}{ON}{TABLE}", [(20, "MB103")], id="disabled twice"),
        pytest.param(f"{OFF}{ON}{TABLE}", [(1, "MB901"), (8, "MB103")], id="nothing in between"),
        pytest.param(
            "<!-- mdbench: disable-next-line MB105 -->\n# A\n\n# B\n",
            [(4, "MB105")],
            id="next line",
        ),
        pytest.param(
            f"<!-- mdbench: disable-next-line MB103 -->\n{TABLE}",
            [(1, "MB901"), (5, "MB103")],
            id="next line, not the next table",
        ),
        pytest.param(
            "Text.\n\n<!-- mdbench: disable-next-line MB1 -->", [(3, "MB901")], id="no next line"
        ),
    ],
)
def test_regions_and_next_lines(text: str, found: list[tuple[int, str]]) -> None:
    assert lines(text) == found


@pytest.mark.usefixtures("no_hang")
def test_many_regions_take_no_time() -> None:
    text = OFF * 5_000 + ON * 5_000 + TABLE
    assert len(lines(text)) > 9_000
