"""What was measured of speed, as tables: times, how they compare, and whether goals are met."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from peers import Tool
from stopwatch import Task, Took

LINT, NORMALIZE, PARSER = "mdbench lint", "mdbench normalize", "markdown-it-py"
ONE, IMPORTS = "One report, the whole process", "Packages"
NO_IMPORT = "python"
_RUMDL, _MDFORMAT = "rumdl", "mdformat"
_BASES = (_RUMDL, _MDFORMAT, PARSER)
_UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Reports that are read together."""

    folder: Path
    title: str
    megabytes: float

    @property
    def cold(self) -> str:
        """The measure of reading them all without a cache."""
        return f"{self.title} ({self.megabytes:.1f} MB), no cache"

    @property
    def warm(self) -> str:
        """The measure of reading them all again."""
        return f"{self.title} ({self.megabytes:.1f} MB), warm cache"


@dataclass(frozen=True, slots=True)
class Figures:
    """What each tool took for each measure, and which packages `normalize` loads."""

    took: Mapping[tuple[str, str], Took]
    packages: str

    def find(self, measure: str, tool: str) -> Took | None:
        """What a tool took; None if that was not measured."""
        return self.took.get((measure, tool))

    def compare(self, measure: str, tool: str, base: str, at: str = "") -> float | None:
        """How long a tool took beside another one, for the same or for another measure."""
        one, other = self.find(measure, tool), self.find(at or measure, base)
        return one.clock / other.clock if one and other else None

    def loading(self) -> float:
        """How long the packages take to load."""
        without, with_them = self.find(IMPORTS, NO_IMPORT), self.find(IMPORTS, self.packages)
        return with_them.clock - without.clock if with_them and without else 0.0


def collect_figures(took: Mapping[Task, Took], packages: str) -> Figures:
    """The figures of tasks."""
    return Figures({(task.measure, task.tool): one for task, one in took.items()}, packages)


@dataclass(frozen=True, slots=True)
class Goal:
    """Something to be reached, the figure that it is about, and where that must lie."""

    text: str
    figure: Callable[[Figures, Corpus], float | None]
    limit: float
    at_least: bool = False
    alone: bool = False
    """Whether it is about one report, and not about all."""

    def judge(self, figures: Figures, corpus: Corpus) -> str:
        """Whether it is met for some reports, and how far."""
        found = self.figure(figures, corpus)
        if found is None:
            return _UNKNOWN
        met = found >= self.limit if self.at_least else found <= self.limit
        return f"{'met' if met else 'not met'}: {round_off(found)}"


def _normalize_beside_lint(figures: Figures, corpus: Corpus) -> float | None:
    lint, normalize = (figures.find(corpus.cold, one) for one in (LINT, NORMALIZE))
    if lint is None or normalize is None or normalize.clock <= figures.loading():
        return None
    return (normalize.clock - figures.loading()) / lint.clock


def _faster_than_mdformat(figures: Figures, corpus: Corpus) -> float | None:
    return figures.compare(corpus.cold, _MDFORMAT, LINT)


GOALS = (
    Goal(
        "one report: at most 0.6 × mdformat",
        lambda figures, _: figures.compare(ONE, LINT, _MDFORMAT),
        0.6,
        alone=True,
    ),
    Goal(
        "all, no cache: at most 0.5 × markdown-it-py",
        lambda figures, corpus: figures.compare(corpus.cold, LINT, PARSER),
        0.5,
    ),
    Goal(
        "all, no cache: at least 13 times as fast as mdformat",
        _faster_than_mdformat,
        13,
        at_least=True,
    ),
    Goal(
        "all, warm cache: at most 2 × rumdl",
        lambda figures, corpus: figures.compare(corpus.warm, LINT, _RUMDL),
        2,
    ),
    Goal("normalize, loading aside: at most 1.5 × lint", _normalize_beside_lint, 1.5),
)


def round_off(number: float) -> str:
    """Three digits that count, never as a power of ten."""
    if number <= 0:
        return "0"
    rounded = float(f"{number:.3g}")
    return f"{rounded:.{max(0, 2 - math.floor(math.log10(rounded)))}f}"


def page_lines(figures: Figures, tools: Sequence[Tool], corpora: Sequence[Corpus]) -> Iterator[str]:
    """All that was measured."""
    yield from ("| tool | version | what it looks at |", "|---|---|---|")
    for tool in tools:
        yield f"| {tool.name} | {tool.version} | {tool.does} |"
    yield from ("", f"**{ONE}**", "", *measure_lines(figures, tools, ONE, ONE))
    for corpus in corpora:
        for measure in (corpus.cold, corpus.warm):
            yield from ("", f"**{measure}**", "")
            yield from measure_lines(figures, tools, measure, corpus.cold)
    loading = round_off(figures.loading())
    yield ""
    yield f"Of what `mdbench normalize` takes, {loading} s go into loading {figures.packages}."
    yield from ("", *goal_lines(figures, corpora))


def goal_lines(figures: Figures, corpora: Sequence[Corpus]) -> Iterator[str]:
    """Each goal, and whether it is met for each set of reports."""
    yield "| goal | " + " | ".join(corpus.title for corpus in corpora) + " |"
    yield "|---" * (1 + len(corpora)) + "|"
    for goal in GOALS:
        judged = [goal.judge(figures, corpus) for corpus in corpora]
        if goal.alone:
            judged[1:] = [""] * len(judged[1:])
        yield f"| {goal.text} | {' | '.join(judged)} |"


def measure_lines(
    figures: Figures, tools: Sequence[Tool], measure: str, otherwise: str
) -> Iterator[str]:
    """One measure, each tool beside the others; beside their other measure if they have no such."""
    bases = "".join(f" × {base} |" for base in _BASES)
    yield f"| tool | time (s) | CPU (s) | memory (MiB) |{bases} runs |"
    yield "|---" + "|--:" * (4 + len(_BASES)) + "|"
    for tool in tools:
        took = figures.find(measure, tool.name)
        if took is None:
            continue
        at = {base: measure if figures.find(measure, base) else otherwise for base in _BASES}
        ratios = (figures.compare(measure, tool.name, base, at[base]) for base in _BASES)
        shown = "".join(f" {_UNKNOWN if one is None else round_off(one)} |" for one in ratios)
        yield (
            f"| {tool.name} | {round_off(took.clock)} | {round_off(took.cpu)} | "
            f"{took.mebibytes:.0f} |{shown} {took.rounds} |"
        )


def short_lines(
    figures: Figures, tools: Sequence[Tool], corpora: Sequence[Corpus]
) -> Iterator[str]:
    """The times alone, without what only mdbench does."""
    measures = {"one report": ONE}
    measures |= {f"{one.title}, no cache": one.cold for one in corpora}
    measures |= {f"{one.title}, warm cache": one.warm for one in corpora[:1]}
    yield "| seconds | " + " | ".join(measures) + " |"
    yield "|---" + "|--:" * len(measures) + "|"
    for tool in tools:
        if tool.name != NORMALIZE:
            all_took = (figures.find(measure, tool.name) for measure in measures.values())
            times = (round_off(took.clock) if took else _UNKNOWN for took in all_took)
            yield f"| {tool.name} | " + " | ".join(times) + " |"
