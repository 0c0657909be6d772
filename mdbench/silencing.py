"""Findings against the comments that silence them: what is left, and comments of no use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.document import Document
from mdbench.edits import remove_standalone
from mdbench.findings import Finding, Fix, Remark, Safety
from mdbench.rules import RULES
from mdbench.source import Edit, Source, Span
from mdbench.suppress import Code, Suppression, find_suppressions

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
    used: set[Code] = set()
    for finding in findings:
        silencing = list(_silencing(comments, finding))
        used.update(silencing)
        if not silencing:
            yield finding
    if _UNUSED in ran:
        yield from _report_unused(document.source, comments, used, ran)


def _silencing(comments: Sequence[Suppression], finding: Finding) -> Iterator[Code]:
    for comment in comments:
        if comment.holds_for(finding.span):
            yield from (code for code in comment.codes if code.covers(finding.code))


def _report_unused(
    source: Source, comments: Sequence[Suppression], used: set[Code], ran: frozenset[str]
) -> Iterator[Finding]:
    # Comments about this very rule are judged last: they may silence what is found here.
    about_itself = {code for one in comments for code in one.codes if code.text.startswith("MB9")}
    found = [
        RULES[_UNUSED].find(remark)
        for comment in comments
        if (remark := _judge(source, comment, used | about_itself, ran)) is not None
    ]
    for finding in found:
        silencing = list(_silencing(comments, finding))
        used.update(silencing)
        if not silencing:
            yield finding
    for comment in comments:
        if about_itself.intersection(comment.codes):
            remark = _judge(source, comment, used, ran)
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
    """Remove a comment: with the space before it, or with its line if nothing else is on it."""
    line = source.line(span.start)
    start = source.line_starts[line - 1]
    text = source.line_text(line)
    before, after = text[: span.start - start], text[span.end - start :]
    if before.strip() or after.strip():
        kept = len(before.rstrip()) if before.strip() else 0
        return Edit(Span(start + kept, span.end), "")
    return remove_standalone(source, span.start)
