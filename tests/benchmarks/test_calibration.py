"""The calibration of confidence: sure findings are right, and surer ones more often."""

from __future__ import annotations

from benchmarks.calibration import Judged, judge_invented, reliability_lines


def test_sure_findings_are_right_more_often() -> None:
    judged = list(judge_invented(400))
    sure = [one.right for one in judged if one.confidence >= 0.9]
    rest = [one.right for one in judged if one.confidence < 0.9]
    assert len(sure) > 50
    assert sum(sure) / len(sure) >= 0.88
    assert sum(sure) / len(sure) > sum(rest) / len(rest)


def test_the_table_counts_what_is_right() -> None:
    judged = [Judged(1.0, True), Judged(0.9, False), Judged(0.7, True)]
    assert list(reliability_lines(judged))[2:] == [
        "| 0.9 to 1.0 | 2 | 1 | 50 % | 0.95 |",
        "| 0.7 to 0.8 | 1 | 1 | 100 % | 0.70 |",
        "| all | 3 | 2 | 67 % | 0.87 |",
    ]
