"""The history of a report as a page: each metric over commits, and what each commit changed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mdbench.cli.main import main
from mdbench.compare.history import NOT_COMMITTED, History, read_history
from mdbench.rendering.site.drawing import draw
from mdbench.rendering.site.trends import make_trends, plot_trends
from mdbench.vocabulary.quantities import standard_vocabulary

TABLE = (
    "# Speed\n\n| Nodes | Tokens/s | Memory |\n|--|--|--|\n| 1 | {} | 16 GB |\n| 2 | {} | {} |\n"
)
ATTACK = "</script><script>document.title='taken'</script>"


class Folder:
    """A repository with one report."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.report = path / "speed.md"
        self.days = 0
        path.mkdir(exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> None:
        self.days += 1
        date = f"2026-03-{self.days:02}T12:00:00Z"
        own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        user = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        command = ["git", "-C", str(self.path), *user, *arguments]
        subprocess.run(command, check=True, env={**os.environ, **own, **dates}, capture_output=True)

    def commit(self, message: str, *numbers: object) -> None:
        self.report.write_text(TABLE.format(*numbers), encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def read(self) -> History:
        return read_history(str(self.report), standard_vocabulary())


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = Folder(tmp_path / "repository")
    made.commit("Measure", 1000, 1900, "20 GB")
    made.commit("Fuse the kernels", 1100, 2100, "20 GB")
    made.commit("Save memory", 1100, 2100, "12 GB")
    return made


def render(folder: Folder, *options: str) -> tuple[int, Path]:
    site = folder.path.parent / "site"
    code = main(["render", str(folder.report), "--format", "html", "-o", str(site), *options])
    return code, site


def test_each_change_names_its_commit(folder: Folder) -> None:
    told = [
        (one.version.subject, [(each.name, each.old and each.old.text) for each in one.changes])
        for one in folder.read().moments
    ]
    assert told == [
        ("Measure", []),
        (
            "Fuse the kernels",
            [("tokens_per_s", "1000 Tokens/s"), ("tokens_per_s", "1900 Tokens/s")],
        ),
        ("Save memory", [("memory_mib", "20 GB")]),
    ]


def test_each_metric_that_changed_has_a_chart_over_commits(folder: Folder) -> None:
    history = folder.read()
    tokens, memory = plot_trends(history, {"memory_mib": "Memory"})
    assert tokens.title == "tokens_per_s"
    assert tokens.series == ("nodes 1", "nodes 2")
    assert [(one.x, one.y) for one in tokens.points if one.series == "nodes 2"] == [
        (0, 1900),
        (1, 2100),
        (2, 2100),
    ]
    assert [one.anchor for one in memory.points][:3] == ["v0", "v1", "v2"]
    assert (memory.title, memory.y_title) == ("Memory", "Memory, GB")
    assert memory.points[-1].y == pytest.approx(12)
    assert "12 GB" in "".join(one.label for one in memory.points)
    assert len(draw(tokens)["layer"]) == 2
    assert [one.anchor for one in make_trends(history).commits] == ["v2", "v1", "v0"]


def write_shares(folder: Folder, *shares: int) -> None:
    """Write a report with a run for each share, all of the same configuration."""
    rows = "".join(f"| 8 | {share} % |\n" for share in shares)
    text = f"# Scaling\n\n| Devices | Efficiency |\n|--|--|\n| 1 | 100 % |\n{rows}"
    folder.report.write_text(text, encoding="utf-8")


def test_shares_are_drawn_and_compared_in_percent(folder: Folder) -> None:
    write_shares(folder, 93)
    folder.git("commit", "-q", "-a", "-m", "Scale")
    write_shares(folder, 94)
    history = folder.read()
    (chart,) = (one for one in plot_trends(history, {}) if one.title == "efficiency")
    assert chart.y_title == "efficiency, %"
    assert [one.y for one in chart.points][-1] == pytest.approx(94)
    (change,) = make_trends(history).commits[0].changes
    assert change.difference == "+1.0 percentage points"


def test_equal_runs_have_one_name_in_charts_and_tables(folder: Folder) -> None:
    write_shares(folder, 93, 91)
    folder.git("commit", "-q", "-a", "-m", "Scale")
    write_shares(folder, 93, 92)
    history = folder.read()
    (chart,) = (one for one in plot_trends(history, {}) if one.title == "efficiency")
    assert chart.series[-1] == "devices 8 (2)"
    assert [one.run for one in make_trends(history).commits[0].changes] == ["devices 8 (2)"]


def test_an_axis_of_positive_numbers_does_not_go_below_zero(folder: Folder) -> None:
    folder.commit("Break", 1, 2100, "12 GB")
    tokens = next(plot_trends(folder.read(), {}))
    scale = draw(tokens)["layer"][0]["encoding"]["y"]["scale"]
    assert scale["domain"][0] == 0
    assert scale["domain"][1] > 2100


def test_versions_are_labelled_upright(folder: Folder) -> None:
    tokens = next(plot_trends(folder.read(), {}))
    axis = draw(tokens)["layer"][0]["encoding"]["x"]["axis"]
    assert (axis["labelAngle"], axis["labelOverlap"]) == (0, "greedy")


def test_what_is_not_committed_is_the_last_version(folder: Folder) -> None:
    folder.report.write_text(TABLE.format(1100, 2500, "12 GB"), encoding="utf-8")
    last = folder.read().moments[-1]
    assert last.version.subject == NOT_COMMITTED
    assert [one.new and one.new.text for one in last.changes] == ["2500 Tokens/s"]


def test_a_renamed_report_is_followed(folder: Folder) -> None:
    folder.git("mv", "speed.md", "fast.md")
    folder.git("commit", "-q", "-m", "Rename")
    folder.report = folder.path / "fast.md"
    assert folder.read().moments[0].version.subject == "Measure"


def test_the_number_of_commits_is_limited(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdbench.compare.history.MOST_COMMITS", 2)
    history = folder.read()
    assert [one.version.subject for one in history.moments] == ["Fuse the kernels", "Save memory"]
    assert history.note == "commits before the last 2 are left out"


def test_the_time_is_limited(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdbench.compare.history.MOST_SECONDS", -1.0)
    history = folder.read()
    assert history.moments == ()
    assert history.note.startswith("older commits are left out: reading took more than")


def test_the_command_writes_a_page_that_the_report_links_to(folder: Folder) -> None:
    code, site = render(folder, "--history")
    assert code == 0
    text = (site / "history" / "speed.html").read_text(encoding="utf-8")
    assert "Fuse the kernels" in text
    assert "+10.5 %" in text
    assert 'href="../history/speed.html"' in (site / "reports/speed.html").read_text("utf-8")


def test_without_the_option_there_is_no_history(folder: Folder) -> None:
    _, site = render(folder)
    assert not (site / "history").exists()
    assert "../history/" not in (site / "reports/speed.html").read_text("utf-8")


def test_a_hostile_commit_message_stays_text(folder: Folder) -> None:
    folder.commit(ATTACK, 900, 1500, "12 GB")
    _, site = render(folder, "--history")
    text = (site / "history" / "speed.html").read_text(encoding="utf-8")
    assert "&lt;/script&gt;&lt;script&gt;" in text
    assert "<script>document" not in text


def test_a_shallow_clone_says_so_in_one_line(
    folder: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clone = tmp_path / "clone"
    source = folder.path.as_uri()
    command = ["git", "clone", "-q", "--depth", "1", source, str(clone)]
    subprocess.run(command, check=True, capture_output=True)
    site = tmp_path / "site"
    report = str(clone / "speed.md")
    assert main(["render", report, "--format", "html", "-o", str(site), "--history"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("no history: older commits are missing here: this is a shallow clone")


def test_outside_of_a_repository_one_line_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    report = tmp_path / "speed.md"
    report.write_text(TABLE.format(1, 2, "3 GB"), encoding="utf-8")
    site = tmp_path / "site"
    assert main(["render", str(report), "--format", "html", "-o", str(site), "--history"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "no history: no revision can be read here: not a git repository" in line
    assert (site / "index.html").is_file()


@pytest.mark.parametrize(
    ("names", "others"),
    [("ab", "; 1 other report has none either"), ("abc", "; 2 other reports have none either")],
)
def test_several_reports_without_a_history_are_one_line(
    names: str, others: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in names:
        (tmp_path / f"{name}.md").write_text(TABLE.format(1, 2, "3 GB"), encoding="utf-8")
    site = str(tmp_path / "site")
    assert main(["render", str(tmp_path), "--format", "html", "-o", site, "--history"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(others)


def test_without_git_one_line_says_so(
    folder: Folder, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(folder.path))
    code, site = render(folder, "--history")
    assert code == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("no history: reading a revision needs git, which is not installed")
    assert (site / "index.html").is_file()


def test_the_option_needs_html(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(folder.report), "--history"]) == 2
    assert "use it with --format html" in capsys.readouterr().err
