"""How likely the findings of a rule are right, from 0 to 1, where no evidence tells more.

MB301, MB302, MB305 and MB306 take it from their evidence: see `mdbench/diagnosis/confidence.py`.
What is listed here is an estimate. An info is no mistake but a remark, and right if it is useful.
"""

from __future__ import annotations

from types import MappingProxyType

SURE_OF_ERROR = 0.9
"""An error with less confidence is a warning."""
SURE_OF_WARNING = 0.6
"""What has less confidence is not reported."""
USUAL = 0.9
"""For rules that are not listed."""
_FACTS = ("MB000", "MB001", "MB901")
"""What mdbench itself has seen."""
_CERTAIN = ("MB101", "MB102", "MB201", "MB202", "MB203", "MB302", "MB401")
"""What is plain to see: a cell too many, a unit in the wrong place, a sum that is not right."""
_INFERRED = ("MB107", "MB205", "MB207", "MB208", "MB209", "MB304")
"""What depends on how a report is meant to be read."""
_REMARKS = ("MB403", "MB404", "MB501")
"""What may have a good reason that the report does not give."""
RULE_CONFIDENCES = MappingProxyType(
    dict.fromkeys(_FACTS, 1.0)
    | dict.fromkeys(_CERTAIN, 0.95)
    | dict.fromkeys(_INFERRED, 0.85)
    | dict.fromkeys(_REMARKS, 0.8)
)
