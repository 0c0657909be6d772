"""What a query in a comment may do: read the tables of results, and make nothing large of them.

duckdb counts the memory of tables, not that of one long text, and does not stop a function that
is making one. So a query may only call functions whose result is about as large as their arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_ARITHMETIC = """
    + - * / // % ** ^ @ & | ~ << >> ! abs add ceil ceiling divide exp factorial fdiv floor fmod gcd
    greatest if ifnull isfinite isinf isnan lcm least ln log log10 log2 mod multiply nullif pi pow
    power round round_even sign sqrt cbrt subtract trunc xor
"""
_TEXTS = """
    ~~ !~~ ~~* !~~* ~~~ like_escape ilike_escape not_like_escape not_ilike_escape contains ends_with
    instr left len length levenshtein lower lcase ltrim parse_dirname parse_filename position prefix
    regexp_extract regexp_full_match regexp_matches reverse right rtrim split_part starts_with
    strip_accents strlen strpos substr substring suffix trim ucase upper
"""
_JOINING = "|| concat concat_ws"
_AGGREGATES = """
    any_value approx_count_distinct approx_quantile arbitrary arg_max arg_min avg bool_and bool_or
    corr count count_if count_star countif covar_pop covar_samp favg first fsum geomean
    geometric_mean kahan_sum kurtosis last mad max max_by mean median min min_by mode product
    quantile quantile_cont quantile_disc regr_intercept regr_r2 regr_slope sem skewness stddev
    stddev_pop stddev_samp sum sumkahan var_pop var_samp variance
    cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank
    rank_dense row_number
"""
_LISTS = """
    array_extract array_length json_array_length json_extract json_extract_string -> ->> list_avg
    list_contains list_count list_element list_extract list_first list_last list_max list_median
    list_min list_stddev_pop list_stddev_samp list_sum struct_extract unnest
"""
_DATES = """
    age date_diff date_part date_sub date_trunc datediff datepart datetrunc day dayofweek epoch
    epoch_ms hour make_date minute month second strftime strptime to_days to_hours to_microseconds
    to_milliseconds to_minutes to_months to_seconds to_timestamp to_weeks to_years try_strptime week
    year
"""
_ALLOWED = frozenset(f"{_ARITHMETIC} {_TEXTS} {_JOINING} {_AGGREGATES} {_LISTS} {_DATES}".split())
# Each text that is joined may double what there was.
_MOST_JOINED = 12


def judge_query(tree: Mapping[str, Any]) -> str:
    """Why a query is refused, in one line; empty if it is not. `tree` is what duckdb parsed."""
    if tree.get("error"):
        return "only select is allowed"
    joined = 0
    for node in list_nodes(tree):
        if wrong := _judge_node(node):
            return wrong
        if name_function(node) in _JOINING.split():
            joined += len(list_arguments(node))
    return "too many texts are joined" if joined > _MOST_JOINED else ""


def _judge_node(node: Mapping[str, Any]) -> str:
    kind, name = node.get("type"), name_function(node)
    if kind == "TABLE_FUNCTION":
        called = name_function(node.get("function") or {})
        is_read = called != "unnest"
        return f"only tables of results can be read, not {called}()" if is_read else ""
    if kind == "RECURSIVE_CTE_NODE":
        return "recursive queries are not allowed"
    if name == "replace":
        fits = _shortens(node)
        return "" if fits else "replace() may only put in a text as long as what it takes out"
    if not name:
        unknown = node.get("class") in ("FUNCTION", "WINDOW")
        return "this version of duckdb does not tell its functions" if unknown else ""
    return "" if name in _ALLOWED else f"the function {name} is not allowed"


def list_nodes(tree: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """All objects of the tree; without recursion, because a query may be nested deeply."""
    waiting: list[Any] = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def name_function(node: Mapping[str, Any]) -> str:
    """The function that a node calls, in small letters; empty if it calls none."""
    name = node.get("function_name")
    return name.lower() if isinstance(name, str) else ""


def _shortens(node: Mapping[str, Any]) -> bool:
    """Whether `replace(text, 'a', 'b')` gives no longer text."""
    texts = [_constant(one) for one in list_arguments(node)[1:]]
    return len(texts) == 2 and None not in texts and len(texts[0] or "") >= len(texts[1] or "")


def list_arguments(node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The arguments of a call; duckdb 1 has them as children."""
    named = [one.get("expression") or {} for one in node.get("arguments") or ()]
    return named or list(node.get("children") or ())


def _constant(node: Mapping[str, Any]) -> str | None:
    """The text of a constant, as duckdb 2 or duckdb 1 has it."""
    literal, value = node.get("literal"), node.get("value")
    text = literal.get("text") if isinstance(literal, dict) else None
    if isinstance(value, dict):
        text = value.get("value")
    return text if isinstance(text, str) else None
