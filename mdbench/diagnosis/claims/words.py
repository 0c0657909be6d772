"""The words of a sentence: which say what is claimed, and which of what it is claimed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mdbench.prose.sentences import stem
from mdbench.regex import lazy

# Sentences about other runs than those of the table, about some of them, or about none at all.
ELSEWHERE = lazy(
    r"\b(?:would|could|should|may|might|will|expect\w*|estimat\w*|theor\w*|ideal\w*|goal|if|"
    r"previous\w*|earlier|unlike|assum\w*|suppos\w*|not|never|no|paper|reported|published|"
    r"claim\w*|except\w*|excluding|without|typical\w*|usual\w*|generally|among|one of|"
    r"(?<!per )second|third|next|some|few|several|many|most of|while|although|but|however|"
    r"plan\w*|hop\w*|predict\w*|project\w*|extrapolat\w*|cannot|\w+n't|instead|vendor|official|peaks|peaked|bursts?|"
    r"corrected|then|potential\w*|possibl\w*|rest|others?|further|additional\w*|extra|"
    r"each other|until|unless|noise|deviation|variance|margin|confidence|"
    r"nicht|kein\w*|wäre\w*|würde\w*|sollte\w*|wenn|falls|aber|außer|früher\w*|theoretisch\w*|pas|"
    r"sauf|mais|serait|devrait|théorique|pero|sería|debería|teóric\w*|excepto|salvo|"
    r"не|но|если|кроме|был[аио]? бы|мог\w*)\b|\?|\d ?[x×] ?\d|"
    r"[不没沒但若如仅僅只除]|可能|应该|預計|预计|理论|理論|之前|其他|其余|ない|なし|ただし|だけ|のみ|以外|もし|前回",
    re.IGNORECASE,
)


def stems(text: str) -> frozenset[str]:
    """Words without their endings."""
    return frozenset(map(stem, text.split()))


GAINED = stems(
    "speedup faster quicker gain win improvement improve improved acceleration accelerate boost "
    "better fast benefit increase outperform"
)
SAVED = stems(
    "reduction reduce reduced saving save saved less smaller lower cut decrease fewer shrink drop "
    "compression leaner"
)
HIGHEST = stems(
    "highest largest biggest greatest maximum max most longest höchste höchsten größte größten "
    "maximal máximo máxima massimo maximale 最高 最大 最多 最長 最长"
)
CHEAPEST = stems("cheapest günstigste günstigsten billigste billigsten 便宜 最安")
LOWEST = CHEAPEST | stems(
    "lowest smallest minimum min least shortest tiniest niedrigste niedrigsten kleinste kleinsten "
    "geringste geringsten mínimo mínima minimo minimale 最低 最小 最少 最短"
)
BEST = stems("best fastest quickest schnellste schnellsten 最快 最速")
WORST = stems("worst slowest langsamste langsamsten 最慢")
WINS = stems("win winner won")
MEANS = stems("average averaged averaging mean avg")
ABOUT = stems("about around roughly approximately nearly almost")
ALL = stems("all every each always everywhere")
SUPERLATIVES = HIGHEST | LOWEST | BEST | WORST

# Words that do not say of which rows a sentence speaks.
_NEUTRAL = stems(
    """
    a an the this that these those it its we our us is are was were be been being has have had
    do does did of in on at to for with by from as and or across over than vs versus up down
    into out result show showed showing see seen observe observed measure measured measurement
    get got give gave reach reaches reached achieve achieved obtain obtained deliver delivered
    provide provided yield yielded come came go goes went take took need needed use used run
    running ran keep kept stay stayed remain remained sit range ranged ranging vary varies
    varied span lie fall complete completed finish finishes finished key finding takeaway
    summary conclusion note overall total totaling totalling combined together altogether sum
    whole entire full code version implementation build library tool program optimized
    optimised optimization optimisation new current table above below here there benchmark
    bench test tested suite case configuration config setting row experiment workload scenario
    dataset size input task method model variant engine algorithm framework system platform
    operation query queries category categories endpoint route page file codec format function
    module machine device time fold percent performance value number figure about around
    roughly approximately nearly almost least more less most between only just where which who
    what how all every each always everywhere both same very clear clearly far winner win won
    best better fast faster fastest slow slower slowest quicker quickest highest lowest
    largest smallest biggest greatest longest shortest maximum minimum max min peak worst
    average averaged averaging mean avg median speedup improvement improve improved gain boost
    acceleration reduction reduce reduced saving save saved cut decrease increase shrink drop
    compared compare baseline original exceed exceeded under within any anywhere twice double
    much high low impressive significant significantly massive huge dramatic dramatically
    substantial consistent consistently real actual final i e g eg ie so thus therefore hence
    also even still now higher lower larger smaller bigger longer shorter fewer outperform
    outperformed beat per after when benefit handle handled serve served process depending
    depend processes processed sent send made make issued executed recorded generated produced
    spent consumed consume cost relative some against regarding terms second
    single first top one two three four five six seven eight nine ten
    """
)


_SAYING = (
    SUPERLATIVES
    | WINS
    | MEANS
    | ABOUT
    | ALL
    | stems(
        "cheapest cheaper moving move switching switch migrating going count overall now becomes "
        "rose fell dropped grew climbed jumped usage consumption footprint rewrite"
    )
)


# Words and endings that join others in a text without blanks.
_JOINING = lazy(
    r"最[高大多長长低小少短快速慢安]|便宜|第一|方案|模型|版本|方法|系统|引擎|框架|配置|结论|結論|相比|"
    r"下降|降低|减少|減少|提升|提高|增加|[比快慢高低倍使更]|より|速い|遅い|速く|遅く|[的是为為和与與都在中了有约約，、はがのでもとをにやへ]|です|ます"
)
_IDEOGRAPHS = lazy(r"[\u3005-\u30ff\u3400-\u9fff]+")


def restricting_ideographs(text: str, found: set[str], known: Iterable[str]) -> set[str]:
    """Some words, with what a text without blanks has beside known words instead of its parts."""
    words = {word for word in found if _IDEOGRAPHS.search(word) is None}
    told = [word for word in known if _IDEOGRAPHS.search(word) is not None]
    for run in _IDEOGRAPHS.findall(text):
        rest = run
        for word in told:
            rest = rest.replace(word, " ")
        words.update(_JOINING.sub(" ", rest).split())
    return words


def is_neutral(word: str) -> bool:
    """Whether a word says nothing about which rows are meant."""
    return word in _NEUTRAL or word in _SAYING or word[0].isdigit() or len(word) == 1
