"""Sentences around tables, by their words and numbers."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise

from mdbench.markdown.document import Block, BlockKind, Document
from mdbench.prose.figures import Figure, find_figures
from mdbench.prose.keys import Key, read_keys
from mdbench.regex import lazy
from mdbench.source import Span
from mdbench.vocabulary.quantities import Vocabulary

_END = lazy(r"[.;!?](?<!e\.g\.)(?<!i\.e\.)(?<!approx\.)(?<!vs\.)\s+|[。；]\s*")
# Each is replaced by as many blanks, so that all else stays in its place.
_MARKUP = lazy(
    r"[*`\[]|\]\([^()\s]*\)|\]|\\(?=[*_])|(?<![^\W_])_+|_+(?![^\W_])|[✅❌🥇🏆🚀⚡✓✔]\ufe0f?"
)
_MARKS = frozenset("*`[]\\_✅❌🥇🏆🚀⚡✓✔")
_DIGIT = lazy(r"\d")
# Every claim has a digit or one of these.
_HINTS = (
    *("est", "ast", "ost", "win", "Win", "won", "All ", "all ", "twice", "double", "out of ", "最"),
    *(f"{one} of " for one in ("wo", "hree", "our", "ive", "ix", "even", "ight", "ine", "ten")),
)
# What begins here says nothing of what stands before it: `X is faster, and needs less memory`.
_CLAUSE = lazy(
    r"(?:;|,? and|, which|, so|, because|, since)[ ]+(?!(?:only|with|when|at|on|for|if|under|in|"
    r"after|before|once|where|using|by|from|to|over|than|vs)\b)",
    re.IGNORECASE,
)
_WORD = lazy(r"[^\W_]+")
_IDEOGRAPH = r"\u3005-\u30ff\u3400-\u9fff"
_IDEOGRAPHS = lazy(rf"[{_IDEOGRAPH}]")
_SCRIPTS = lazy(rf"[{_IDEOGRAPH}]+|[^{_IDEOGRAPH}]+")
_SPLIT = lazy(r"\bspeed[- ]up|\brun[- ]time|\bthrough-put", re.IGNORECASE)
_SHORTEST = 3
_ENDINGS = ("ement", "ation", "ing", "ion", "ly", "ed", "er", "e")
# `Small` says of which rows a sentence speaks, `smaller` does not.
_COMPARATIVES = frozenset(
    "smaller larger higher lower faster slower longer shorter fewer bigger quicker cheaper".split()
)
_LONGEST = 300
_READ = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.HEADING))


class Sentence:
    """A sentence, read as far as it is asked for."""

    def __init__(self, text: str, start: int, section: int, vocabulary: Vocabulary) -> None:
        self._raw = text
        self.start = start
        self.section = section
        self._vocabulary = vocabulary
        self.words = frozenset(words_of(text))
        """Its words, without their endings."""

    @cached_property
    def text(self) -> str:
        """The sentence with blanks for its markup."""
        plain = _MARKS.isdisjoint(self._raw)
        return self._raw if plain else _MARKUP.sub(_blank, self._raw)

    @cached_property
    def folded(self) -> str:
        """The text in small letters, with single blanks."""
        return " ".join(self.text.casefold().split())

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """The settings that tell of which runs it speaks."""
        return read_keys(self.folded, self._vocabulary)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Its numbers that may be results."""
        return tuple(find_figures(self.text))

    def clauses(self) -> Iterator[tuple[Sentence, Sentence]]:
        """Its parts that may be understood by themselves, each with all that stands before it."""
        text, start = self.text, 0
        for end in (*(match.end() for match in _CLAUSE.finditer(text)), len(text)):
            if end - start < len(text):
                before, part = text[:start], text[start:end]
                yield (
                    Sentence(part, self.start + start, self.section, self._vocabulary),
                    Sentence(before, self.start, self.section, self._vocabulary),
                )
            start = end

    def span(self, figure: Figure) -> Span:
        """Where a number stands in the report."""
        return Span(self.start + figure.start, self.start + figure.end)

    def cut(self, figure: Figure) -> str:
        """A number as it is written."""
        return " ".join(self.text[figure.start : figure.end].split())


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in small letters, without their endings: `Speed-ups` is `speedup`."""
    folded = text.casefold()
    if "speed" in folded or "run" in folded or "through" in folded:
        folded = _SPLIT.sub(_join_words, folded)
    found = _WORD.findall(folded)
    if not folded.isascii() and _IDEOGRAPHS.search(folded) is not None:
        found = [part for word in found for part in _cut_ideographs(word)]
    return tuple(map(stem, found))


def _cut_ideographs(word: str) -> list[str]:
    """Each two characters of a text without blanks between its words, and what is spelled."""
    if _IDEOGRAPHS.search(word) is None:
        return [word]
    found: list[str] = []
    for run in _SCRIPTS.findall(word):
        whole = _IDEOGRAPHS.match(run) is None or len(run) == 1
        found += [run] if whole else map("".join, pairwise(run))
    return found


def _join_words(match: re.Match[str]) -> str:
    return match[0].replace("-", "").replace(" ", "")


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """What forms of a word have in common: `parses`, `parsing` and `parser` are `pars`."""
    if len(word) > _SHORTEST and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in _ENDINGS if word not in _COMPARATIVES else ():
        if word.endswith(ending) and len(word) - len(ending) > _SHORTEST:
            return word[: -len(ending)]
    return word


def find_sentences(
    document: Document,
    sections: Container[int],
    telling: frozenset[str],
    vocabulary: Vocabulary,
) -> Iterator[Sentence]:
    """The sentences of some sections with a telling word: in paragraphs, lists and headings."""
    for block in document.blocks:
        if block.kind not in _READ or not block.lines or block.section not in sections:
            continue
        text, offset = _join(block), block.lines[0].start
        if not _may_claim(text):
            continue
        start = 0
        for end in (*(match.end() for match in _END.finditer(text)), len(text)):
            part = text[start:end]
            if _SHORTEST < len(part) <= _LONGEST and (len(part) == len(text) or _may_claim(part)):
                found = Sentence(part, offset + start, block.section, vocabulary)
                if not telling.isdisjoint(found.words):
                    yield found
            start = end


def _may_claim(text: str) -> bool:
    """Whether a text has a digit or a word without which nothing is claimed."""
    return _DIGIT.search(text) is not None or any(map(text.__contains__, _HINTS))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _join(block: Block) -> str:
    """The text of a block with every character in its place: sentences go on in the next line."""
    if len(block.lines) == 1:
        return block.lines[0].text
    text = ""
    for line in block.lines:
        text += " " * (line.start - block.lines[0].start - len(text)) + line.text
    return text
