"""Findings with the same cause, reported once per file: on the first place, with their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mdbench.rules.findings import Evidence, Finding, Fix, Repeat

Repeats = Mapping[Finding, Repeat]
"""The cause of each finding that may be one of many."""


def join_repeats(findings: Iterable[Finding], repeats: Repeats) -> Iterator[Finding]:
    """Make one finding of all that have the same rule, severity, cause and kind of fix."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        repeat = repeats.get(finding)
        groups.setdefault(finding if repeat is None else _key(finding, repeat), []).append(finding)
    for alike in groups.values():
        first = alike[0]
        repeat = repeats.get(first)
        # What two relations say in the same words of the same place is said once.
        yield first if repeat is None or len(alike) == 1 else _join(alike, repeat.places)


def _key(finding: Finding, repeat: Repeat) -> object:
    ways = tuple((fix.title, fix.safety) for fix in finding.fixes)
    return finding.code, finding.severity, repeat, ways


def _join(alike: Sequence[Finding], places: str) -> Finding:
    first = min(alike, key=lambda one: one.span)
    others = [one for one in alike if one is not first]
    more = places if len(others) > 1 else places.removesuffix("s")
    also = (Evidence("also here", one.span) for one in others)
    ways = zip(*(one.fixes for one in alike), strict=True)
    return first._replace(
        message=f"{first.message} (and {len(others)} more {more} in this file)",
        evidence=(*first.evidence, *also),
        fixes=tuple(_join_fixes(same, places) for same in ways),
        cells=tuple(dict.fromkeys(cell for one in alike for cell in one.cells)),
        confidence=min(one.confidence for one in alike),
    )


def _join_fixes(fixes: Sequence[Fix], places: str) -> Fix:
    edits = tuple(dict.fromkeys(edit for fix in fixes for edit in fix.edits))
    return fixes[0]._replace(title=f"{fixes[0].title} (all {len(fixes)} {places})", edits=edits)
