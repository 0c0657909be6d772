"""Comments that suppress findings, such as `<!-- mdbench: ignore MB301 -->`, and their use.

A comment after a row or other text applies to that line. A comment alone on a line applies to the
following table or block. `ignore-file` applies to the whole report, `disable` to all that follows,
up to `enable`, and `disable-next-line` to the next line.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from mdbench.files.nearest import hint
from mdbench.linting.lookalikes import REASON, find_lookalikes
from mdbench.markdown.comments import (
    VERBS,
    binds,
    code_spans,
    find_comments,
    in_code,
    judge_comment,
    mentions_us,
)
from mdbench.markdown.document import Document
from mdbench.regex import lazy
from mdbench.rules.findings import Finding, Fix, Safety, Violation
from mdbench.rules.loading import RULES
from mdbench.rules.names import is_code, read_code
from mdbench.source import Edit, Source, Span, remove_standalone

_COMMENT = lazy(
    r"<!--[ \t]*+mdbench:[ \t]*+(?P<verb>(?:\w|-(?!->))*)(?!\w|-(?!->))"
    r"(?P<rest>(?:[^\n>-]|-(?!->)){0,400})-->",
    re.IGNORECASE,
)
_WORD = lazy(r"[^\s,]+")
_WHOLE, _REGION, _END, _NEXT = "ignore-file", "disable", "enable", "disable-next-line"
# A blanket comment must not hide a crashed rule, nor that the comment itself is unused.
_NEVER_BLANKET = ("MB0", "MB9")


class Code(NamedTuple):
    """One code or prefix in a comment; an empty one means all codes."""

    text: str
    span: Span
    scope: Span

    def covers(self, code: str) -> bool:
        """Whether this covers a finding with the given code."""
        return code.startswith(self.text) if self.text else not code.startswith(_NEVER_BLANKET)


class Suppression(NamedTuple):
    """A comment, its codes and the part of the report it applies to."""

    span: Span
    codes: tuple[Code, ...]
    scope: Span
    problem: str = ""
    """Why the comment is invalid: a word in it that is unknown."""


def find_suppressions(document: Document) -> tuple[Suppression, ...]:
    """Find all suppression comments of a report, except examples in code."""
    text = document.source.text
    if not mentions_us(text):
        return ()
    hidden = code_spans(document)
    blocks = [block.span for block in document.blocks]
    stretches = sorted([*blocks, *(table.span for table in document.tables)])
    found = [
        (match["verb"].lower(), _read_comment(document, match, stretches))
        for match in _COMMENT.finditer(text)
        if not in_code(document.source, match.start(), hidden)
        and not binds(text[match.start("verb") : match.end()])
    ]
    read = {one.span for _, one in found}
    # One with a `>` or on several lines may have been meant to bind something.
    mistyped = (
        Suppression(one.span, (), one.span, wrong)
        for one in find_comments(document)
        if one.span not in read and (wrong := judge_comment(one.body))
    )
    lookalikes = (
        Suppression(one.span, (), one.span, f"write `{one.right}`")
        for one in find_lookalikes(text)
        if not in_code(document.source, one.span.start, hidden)
    )
    return tuple(sorted((*_end_regions(found), *mistyped, *lookalikes)))


def _read_comment(
    document: Document, match: re.Match[str], stretches: Sequence[Span]
) -> Suppression:
    span = Span(match.start(), match.end())
    verb = match["verb"].lower()
    if verb not in VERBS:
        return Suppression(span, (), span, judge_comment(match["verb"] + match["rest"]))
    reason = REASON.search(match["rest"])
    listed = match["rest"][: reason.start()] if reason else match["rest"]
    start = match.start("rest")
    scope = _scope(document.source, span, verb, stretches)
    words = [
        Code(read_code(word[0]), Span(start + word.start(), start + word.end()), scope)
        for word in _WORD.finditer(listed)
    ]
    unknown = [word for word in words if not is_code(word.text)]
    if unknown:
        said = document.source.cut(unknown[0].span)
        near = hint(said, (*RULES, *(one.name for one in RULES.values())))
        return Suppression(span, (), scope, f"`{said}` is not a rule code or name{near}")
    return Suppression(span, tuple(words) or (Code("", span, scope),), scope)


def _end_regions(found: Sequence[tuple[str, Suppression]]) -> list[Suppression]:
    """The comments, of which each `disable` reaches to its `enable`, or to the next `disable`."""
    comments = [comment for _, comment in found]
    disabled: dict[str, int] = {}
    for at, (verb, comment) in enumerate(found):
        named = [code.text for code in comment.codes]
        ended = [text for text in named if text in disabled]
        if verb == _END and named:
            ended = list(disabled) if named == [""] else ended
            lacking = [f" {text}".rstrip() for text in named if text and text not in disabled]
            wrong = "".join(lacking) if lacking or not ended else None
            problem = "" if wrong is None else f"there is no `disable{wrong}` before it"
            comments[at] = comment._replace(codes=(), problem=problem)
        elif verb != _REGION:
            continue
        for text in ended:
            where = disabled.pop(text)
            comments[where] = _end_region(comments[where], text, comment.span.start)
        if verb == _REGION:
            disabled.update(dict.fromkeys(named, at))
    return comments


def _end_region(comment: Suppression, text: str, end: int) -> Suppression:
    codes = (
        code._replace(scope=Span(code.scope.start, end)) if code.text == text else code
        for code in comment.codes
    )
    return comment._replace(codes=tuple(codes))


def _scope(source: Source, comment: Span, verb: str, stretches: Sequence[Span]) -> Span:
    if verb == _WHOLE:
        return Span(0, len(source.text))
    if verb == _REGION:
        return Span(comment.start, len(source.text))
    line = source.line(comment.start)
    if verb == _NEXT:
        start = source.line_starts[line] if line < len(source.line_starts) else len(source.text)
        return Span(start, start + len(source.line_text(min(line + 1, len(source.line_starts)))))
    start = source.line_starts[line - 1]
    text = source.line_text(line)
    end = start + len(text)
    following = bisect_left(stretches, Span(end, end))
    if _is_alone(text) and following < len(stretches):
        return stretches[following]
    return Span(start, end)


@lru_cache(maxsize=4)
def _is_alone(line: str) -> bool:
    """Whether a line has nothing but comments and the markers of quotes and lists."""
    return not _COMMENT.sub("", line).strip(" \t>")


_UNUSED = "MB901"


def apply_suppressions(
    document: Document, findings: Sequence[Finding], ran: frozenset[str]
) -> Iterator[Finding]:
    """Drop the suppressed findings, and add a finding for each unused comment.

    `ran` contains the codes of the rules that ran: comments for other rules may be in use.
    """
    comments = find_suppressions(document)
    if not comments:
        yield from findings
        return
    known = _Comments(comments)
    for finding in findings:
        if not known.apply_suppressions(finding):
            yield finding
    if _UNUSED in ran:
        yield from _report_unused(document.source, comments, known, ran)


class _Comments:
    """Comments by their scope, so that each finding looks only at those around it."""

    def __init__(self, comments: Iterable[Suppression]) -> None:
        codes: dict[Span, list[Code]] = {}
        for comment in comments:
            for code in comment.codes:
                codes.setdefault(code.scope, []).append(code)
        self.used: set[Code] = set()
        # Often the whole file. Kept apart, so that not every finding has to look at all comments.
        self._widest = max(codes, key=lambda scope: scope.end - scope.start, default=Span(-1, -1))
        self._scopes = sorted(scope for scope in codes if scope != self._widest)
        # The furthest end of all scopes so far.
        self._reach = list(accumulate((scope.end for scope in self._scopes), max))
        self._codes = codes
        self._answers: dict[tuple[Span, str], bool] = {}

    def apply_suppressions(self, finding: Finding) -> bool:
        """Whether a finding is suppressed; the comments that suppress it are marked as used."""
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
    # Comments for this rule itself are checked last: they may suppress its findings.
    about_itself = {code for one in comments for code in one.codes if code.text.startswith("MB9")}
    spared = known.used | about_itself
    found = [
        RULES[_UNUSED].find(remark)
        for comment in comments
        if (remark := _judge(source, comment, spared, ran)) is not None
    ]
    for finding in found:
        if not known.apply_suppressions(finding):
            yield finding
    for comment in comments:
        if about_itself.intersection(comment.codes):
            remark = _judge(source, comment, known.used, ran)
            if remark is not None:
                yield RULES[_UNUSED].find(remark)


def _judge(
    source: Source, comment: Suppression, used: set[Code], ran: frozenset[str]
) -> Violation | None:
    if comment.problem:
        return Violation(comment.span, f"this comment does nothing: {comment.problem}")
    idle = [code for code in comment.codes if code not in used and _can_tell(code, ran)]
    if not idle:
        return None
    names = ", ".join(source.cut(code.span) for code in idle if code.text)
    what = f" of {names}" if names else ""
    message = f"this comment suppresses nothing: there is no finding{what} here"
    if len(idle) == len(comment.codes):
        if _joins_words(source.text, comment.span):
            return Violation(comment.span, message)
        fix = Fix("remove the comment", (_cut_comment(source, comment.span),), Safety.SAFE)
    else:
        kept = ", ".join(source.cut(code.span) for code in comment.codes if code not in idle)
        listed = Span(comment.codes[0].span.start, comment.codes[-1].span.end)
        fix = Fix(f"remove {names} from the comment", (Edit(listed, kept),), Safety.SAFE)
    return Violation(comment.span, message, fixes=(fix,))


def _can_tell(code: Code, ran: frozenset[str]) -> bool:
    """Whether all rules that match the code ran."""
    return all(known in ran for known in RULES if code.covers(known))


def _joins_words(text: str, span: Span) -> bool:
    """Whether a comment stands within a word, which would be another one without it."""
    around = text[: span.start][-1:], text[span.end :][:1]
    return all(one and not one.isspace() and one != "|" for one in around)


def _cut_comment(source: Source, span: Span) -> Edit:
    """Remove a comment with the space before it, or with its line if it is alone.

    Between two words the space is kept.
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
