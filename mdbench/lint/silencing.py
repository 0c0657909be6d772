"""Findings against the comments that silence them: what is left, and comments of no use."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from mdbench.edits import remove_standalone
from mdbench.lint.suppressions import Code, Suppression, find_suppressions
from mdbench.markdown.parser import Document
from mdbench.rules.findings import Finding, Fix, Remark, Safety
from mdbench.rules.loading import RULES
from mdbench.source import Edit, Source, Span

_UNUSED = "MB901"


def silence(
    document: Document, findings: Sequence[Finding], ran: frozenset[str]
) -> Iterator[Finding]:
    """The findings that no comment silences, and one for each comment that silences none.

    `ran` has the codes of the rules that looked: a comment about others may well be of use.
    """
    comments = find_suppressions(document)
    if not comments:
        yield from findings
        return
    known = _Comments(comments)
    for finding in findings:
        if not known.silence(finding):
            yield finding
    if _UNUSED in ran:
        yield from _report_unused(document.source, comments, known, ran)


class _Comments:
    """Comments by the place that they hold for: a finding asks those around it only."""

    def __init__(self, comments: Iterable[Suppression]) -> None:
        codes: dict[Span, list[Code]] = {}
        for comment in comments:
            codes.setdefault(comment.scope, []).extend(comment.codes)
        self.used: set[Code] = set()
        # Often the whole file: among the others it would let each finding ask all of them.
        self._widest = max(codes, key=lambda scope: scope.end - scope.start)
        self._scopes = sorted(scope for scope in codes if scope != self._widest)
        # Up to where any of the scopes so far holds.
        self._reach = list(accumulate((scope.end for scope in self._scopes), max))
        self._codes = codes
        self._answers: dict[tuple[Span, str], bool] = {}

    def silence(self, finding: Finding) -> bool:
        """Whether a finding is silenced; the comments that do so are of use from now on."""
        answers = [self._ask(one, finding.code) for one in self._find_around(finding.span.start)]
        return any(answers)

    def _find_around(self, offset: int) -> Iterator[Span]:
        if self._widest.start <= offset <= self._widest.end:
            yield self._widest
        at = bisect_right(self._scopes, offset, key=lambda scope: scope.start)
        while at > 0 and self._reach[at - 1] >= offset:
            at -= 1
            if self._scopes[at].end >= offset:
                yield self._scopes[at]

    def _ask(self, scope: Span, code: str) -> bool:
        answer = self._answers.get((scope, code))
        if answer is None:
            covering = [one for one in self._codes[scope] if one.covers(code)]
            self.used.update(covering)
            answer = self._answers[scope, code] = bool(covering)
        return answer


def _report_unused(
    source: Source, comments: Sequence[Suppression], known: _Comments, ran: frozenset[str]
) -> Iterator[Finding]:
    # Comments about this very rule are judged last: they may silence what is found here.
    about_itself = {code for one in comments for code in one.codes if code.text.startswith("MB9")}
    spared = known.used | about_itself
    found = [
        RULES[_UNUSED].find(remark)
        for comment in comments
        if (remark := _judge(source, comment, spared, ran)) is not None
    ]
    for finding in found:
        if not known.silence(finding):
            yield finding
    for comment in comments:
        if about_itself.intersection(comment.codes):
            remark = _judge(source, comment, known.used, ran)
            if remark is not None:
                yield RULES[_UNUSED].find(remark)


def _judge(
    source: Source, comment: Suppression, used: set[Code], ran: frozenset[str]
) -> Remark | None:
    if comment.problem:
        return Remark(comment.span, f"this comment silences nothing: {comment.problem}")
    idle = [code for code in comment.codes if code not in used and _can_tell(code, ran)]
    if not idle:
        return None
    names = ", ".join(code.text for code in idle)
    what = f" of {names}" if names else ""
    message = f"this comment silences nothing: there is no finding{what} here"
    if len(idle) == len(comment.codes):
        fix = Fix("remove the comment", (_cut_comment(source, comment.span),), Safety.SAFE)
    else:
        kept = ", ".join(code.text for code in comment.codes if code not in idle)
        listed = Span(comment.codes[0].span.start, comment.codes[-1].span.end)
        fix = Fix(f"remove {names} from the comment", (Edit(listed, kept),), Safety.SAFE)
    return Remark(comment.span, message, fixes=(fix,))


def _can_tell(code: Code, ran: frozenset[str]) -> bool:
    """Whether all the rules that the code stands for have looked."""
    return all(known in ran for known in RULES if code.covers(known))


def _cut_comment(source: Source, span: Span) -> Edit:
    """Remove a comment: with the space before it, or with its line if nothing else is on it.

    Between two words the space stays: they are two.
    """
    line = source.line(span.start)
    start = source.line_starts[line - 1]
    text = source.line_text(line)
    before, after = text[: span.start - start], text[span.end - start :]
    if before.strip() or after.strip():
        kept = len(before.rstrip()) if before.strip() else 0
        if before.strip() and after.strip() and after[0] != "|" and not after[0].isspace():
            kept = len(before)
        return Edit(Span(start + kept, span.end), "")
    return remove_standalone(source, span.start)
