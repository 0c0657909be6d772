"""Sentences that sum up a column of a table: its range, its total, and which run is the best.

`Efficiency is between 60 and 80% in every configuration`, `the runs took 812 s in total`, `zstd has
the highest ratio`. The words must say it in so many words: a sentence that goes on to say of which
runs it speaks, or only about how much it is, is left out.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from mdbench.markdown.document import Block, BlockKind, Document
from mdbench.regex import lazy
from mdbench.source import Span

_DIGIT = lazy(r"\d")
_MARKS = lazy(r"[*`_]")
_PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))
_SENTENCE = lazy(r"[.;。；!?](?<!e\.g\.)(?<!i\.e\.)(?<!approx\.)(?:\*\*)?\s+")
_LONGEST = 240
_MARK = r"[*`_]{0,3}"
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_UNIT = r"%|[x×](?!\w)|[^\W\d_]+(?:/[^\W\d_]+){0,2}"
_TITLE = r"(?P<title>[^\W\d_][^,;:*`|]{0,39}?)"
_IS = r"(?:is|are|was|were|stays?|stayed|remains?|remained|lies?|lay|falls?|fell)"
_ALL = (
    r"(?:in|for|across|at|on|over|with) (?:all|every|each)(?: of)?(?: (?:the|our|these))?(?: \d+)?"
    r"(?: (?:tested|measured|listed|shown))? (?:(?:batch|input|problem|data|message|file|array) "
    r"?sizes?|(?:thread|node|GPU|core|device) counts?|configurations?|configs?|runs?|rows?|cases?|"
    r"settings?|tests?|benchmarks?|measurements?|experiments?|variants?|models?|methods?|backends?|"
    r"workloads?|scenarios?|datasets?|tasks?|sizes?)"
)
_START = rf"[\s>#-]*{_MARK}"
_END = r"(?=[*_ ]*(?:[.,;:!(]|$))"
_BETWEEN = (
    rf"(?P<low>{_NUMBER})[ *`-]{{0,3}}(?P<low_unit>{_UNIT})??[ *`]{{0,3}}(?:and|to|[-–—])"
    rf"[ *`]{{0,3}}(?P<high>{_NUMBER})[ *`-]{{0,3}}(?P<unit>{_UNIT})?{_MARK}"
)
_LIMIT = (
    r"(?P<word>below|under|above|over|at least|at most|less than|more than) "
    rf"{_MARK}(?P<number>{_NUMBER})[ *`-]{{0,3}}(?P<limit_unit>{_UNIT})?{_MARK}"
)
_CLAIM = rf"(?P<claim>(?:(?:between|from) )?{_MARK}{_BETWEEN}|{_LIMIT})"
_SUBJECT = rf"(?:the |our )?{_MARK}{_TITLE}{_MARK}"
_RANGES = (
    lazy(
        rf"{_START}{_SUBJECT} (?:ranges?|ranged|var(?:y|ies|ied)) (?=from|between){_CLAIM}"
        rf"(?: {_ALL}| depending on [^,;]{{1,60}})?{_END}",
        re.IGNORECASE,
    ),
    lazy(rf"{_START}{_SUBJECT} {_IS} {_CLAIM} {_ALL}{_END}", re.IGNORECASE),
    lazy(rf"{_START}{_SUBJECT} {_IS} always {_CLAIM}(?: {_ALL})?{_END}", re.IGNORECASE),
    lazy(rf"{_START}{_ALL},? {_SUBJECT} {_IS} {_CLAIM}{_END}", re.IGNORECASE),
    lazy(
        rf"{_START}[^\s,;:|>#*_`-][^,;:|]{{0,39}}? "
        r"(?P<verb>saves?|saved|reduce[sd]?|improve[sd]?|gains?|gained)"
        rf"(?: (?!between|from)[^\s,;:|]+){{0,4}}? {_CLAIM}(?: [^\s,;:|]+){{0,4}}? {_ALL}{_END}",
        re.IGNORECASE,
    ),
)
_TOTALS = (
    lazy(
        rf"{_START}(?:the )?(?:total|sum of the|combined) {_TITLE}{_MARK} (?:of|over|across|for) "
        rf"(?:all|the) (?:\d+ )?[^\W\d_]+ (?:is|was) {_MARK}(?P<claim>(?P<number>{_NUMBER})"
        rf"[ *`-]{{0,3}}(?P<unit>{_UNIT})?){_MARK}{_END}",
        re.IGNORECASE,
    ),
    lazy(
        rf"{_START}(?:all|the) (?:\d+ |(?:two|three|four|five|six|seven|eight|nine|ten) )?"
        r"(?:runs?|tests?|benchmarks?|experiments?|configurations?|jobs?|stages|phases|steps|queries)"
        r" (?:together )?(?:take|took|need|needed|use|used|cost|consumed?) "
        rf"{_MARK}(?P<claim>(?P<number>{_NUMBER})[ *`-]{{0,3}}(?P<unit>{_UNIT}))"
        rf"{_MARK} (?:in total|altogether|together|combined){_END}",
        re.IGNORECASE,
    ),
)
_SUPERLATIVE = r"(?P<word>highest|lowest|largest|smallest|shortest|longest|best|worst|most|least)"
_HOLDER = r"(?P<holder>[^\W_][^,;:|]{0,39}?)"
_HOLDERS = (
    lazy(
        rf"{_START}(?P<claim>(?:the )?{_HOLDER}{_MARK} (?:has|had|achieve[sd]|shows|showed|reaches|"
        rf"reached|gives|gave|gets|got|delivers|delivered|offers|provides|uses|used|needs|needed) "
        rf"{_MARK}(?:by far )?the {_MARK}{_SUPERLATIVE} {_TITLE}){_MARK}"
        rf"(?: of all| overall)?{_END}",
        re.IGNORECASE,
    ),
    lazy(
        rf"{_START}(?P<claim>the {_SUPERLATIVE} {_TITLE}{_MARK} (?:is|was)"
        r"(?: (?:reached|achieved|obtained|measured|seen|observed|found))?"
        rf" (?:with|by|at|on|for|that of) (?:a |the )?{_MARK}{_HOLDER}){_MARK}{_END}",
        re.IGNORECASE,
    ),
    lazy(
        rf"{_START}(?P<claim>(?:the )?{_HOLDER}{_MARK} (?:is|was) (?:by far |clearly )?the "
        rf"{_MARK}(?P<word>fastest|slowest)){_MARK}(?: of all| overall)?{_END}",
        re.IGNORECASE,
    ),
)
# Sentences about other runs than those of the table, about some of them, or about none at all.
_ELSEWHERE = lazy(
    r"\b(?:would|could|should|may|might|will|expect\w*|estimat\w*|theor\w*|ideal\w*|target\w*|"
    r"goal|if|when|previous\w*|earlier|before|old|original\w*|unlike|compared|relative|versus|vs|"
    r"(?<!less )(?<!more )than|assum\w*|not|difference|paper|reported|published|claim\w*|except\w*|"
    r"excluding|without|most of|nearly|almost|about|around|roughly|approx\w*|typical\w*|usual\w*|"
    r"mostly|generally|among|one of|second|next|some|few|while|although|but|only|small|large|must|"
    r"plan\w*|hop\w*|up to)\b|[~≈?]",
    re.IGNORECASE,
)
# Every sentence that sums up a column has one of these.
_TRIGGERS = (
    " range", " var", " always ", "ll ", " every ", " each ", "total", "combined", "together",
    "hest ", "owest", "gest ", "llest ", "rtest ", " best ", "worst ", "most ", "least ", "astest",
)  # fmt: skip
# Of each pattern, words of which every sentence that it matches has one.
_OF_ALL, _OF_BEST = ("all", "every", "each"), ("est", "worst", "most", "least")
_WORDS_OF_RANGES = (("rang", "var"), _OF_ALL, ("always",), _OF_ALL, _OF_ALL)
_WORDS_OF_TOTALS = (("total", "sum of the", "combined"), ("total", "together", "combined"))
_WORDS_OF_HOLDERS = (_OF_BEST, _OF_BEST, ("fastest", "slowest"))
_UPPER = frozenset(("below", "under", "at most", "less than"))


class Kind(StrEnum):
    """What is said of a column."""

    RANGE = "range"
    TOTAL = "total"
    HIGHEST = "highest"
    LOWEST = "lowest"
    BEST = "best"
    WORST = "worst"


_KINDS = {
    **dict.fromkeys(("highest", "largest", "longest", "most"), Kind.HIGHEST),
    **dict.fromkeys(("lowest", "smallest", "shortest", "least"), Kind.LOWEST),
    **dict.fromkeys(("best", "fastest"), Kind.BEST),
    **dict.fromkeys(("worst", "slowest"), Kind.WORST),
}


class Summary(NamedTuple):
    """What a sentence says of a column; without a title, the other words tell which one."""

    kind: Kind
    title: str
    text: str
    """The words that are wrong if the claim is."""
    sentence: str
    section: int
    span: Span
    low: str = ""
    """The lower end of a range, or a total."""
    high: str = ""
    unit: str = ""
    holder: str = ""
    """The run that is said to be the best."""
    verb: str = ""
    """What is done to what the numbers compare: `saves`, `improves`."""


def find_summaries(document: Document) -> Iterator[Summary]:
    """Find the sentences that sum up a column."""
    for block in document.blocks:
        if block.kind in _PROSE and any(_is_likely(line.text) for line in block.lines):
            yield from _summaries_of(block)


def _is_likely(text: str) -> bool:
    """Whether a text has a word without which nothing is summed up."""
    for word in _TRIGGERS:  # noqa: SIM110, a generator takes twice as long
        if word in text:
            return True
    return False


def _summaries_of(block: Block) -> Iterator[Summary]:
    text, offset = _join(block), block.lines[0].start
    start = 0
    for end in (*(match.end() for match in _SENTENCE.finditer(text)), len(text)):
        sentence = text[start:end].rstrip()
        if len(sentence) <= _LONGEST:
            found = _read(sentence, offset + start, block.section)
            if found is not None and _ELSEWHERE.search(sentence) is None:
                yield found
        start = end


def _join(block: Block) -> str:
    """The text of a block with every character in its place: sentences go on in the next line."""
    if len(block.lines) == 1:
        return block.lines[0].text
    text = ""
    for line in block.lines:
        text += " " * (line.start - block.lines[0].start - len(text)) + line.text
    return text


def _read(sentence: str, offset: int, section: int) -> Summary | None:
    if _DIGIT.search(sentence) is not None:
        match = _match(sentence, _RANGES, _WORDS_OF_RANGES)
        if match is not None:
            return _read_range(match, _summary(match, Kind.RANGE, offset, section))
        match = _match(sentence, _TOTALS, _WORDS_OF_TOTALS)
        if match is not None:
            told = _summary(match, Kind.TOTAL, offset, section)
            return told._replace(low=match["number"], unit=match["unit"] or "")
    match = _match(sentence, _HOLDERS, _WORDS_OF_HOLDERS)
    if match is None:
        return None
    kind = _KINDS[match["word"].casefold()]
    return _summary(match, kind, offset, section)._replace(holder=match["holder"])


def _match(
    sentence: str, patterns: Sequence[re.Pattern[str]], words: Sequence[Sequence[str]]
) -> re.Match[str] | None:
    """What the first pattern matches. Those of which the sentence has no word are not tried."""
    folded = sentence.casefold()
    for pattern, wanted in zip(patterns, words, strict=True):
        if any(map(folded.__contains__, wanted)):
            match = pattern.match(sentence)
            if match is not None:
                return match
    return None


def _read_range(match: re.Match[str], told: Summary) -> Summary | None:
    verb = match.groupdict().get("verb") or ""
    if match["word"]:
        unit, number = match["limit_unit"] or "", match["number"]
        upper = match["word"].casefold() in _UPPER
        ends = ("", number) if upper else (number, "")
    else:
        unit, ends = match["unit"] or match["low_unit"] or "", (match["low"], match["high"])
        if match["low_unit"] and match["low_unit"] != unit:
            return None
    return told._replace(low=ends[0], high=ends[1], unit=unit, verb=verb)


def _summary(match: re.Match[str], kind: Kind, offset: int, section: int) -> Summary:
    span = Span(offset + match.start("claim"), offset + match.end("claim"))
    text = " ".join(_MARKS.sub("", match["claim"]).split())
    title = match.groupdict().get("title") or ""
    return Summary(kind, title, text, _MARKS.sub("", match.string), section, span)
