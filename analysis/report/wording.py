"""Sentences that many captions share."""

from collections.abc import Sequence

from analysis.values import Way
from analysis.words import some_of

_NAIVE = "Labels are a model's, as they are (naive)."
_CORRECTED = "Labels are a model's, corrected with gold (power tuning)."
_GOLD = "Labels are gold alone, without the model."
BOTH_WAYS = "Open circles take the model's labels as they are (naive); filled ones are corrected with gold."
_NAMES = {Way.NAIVE: "Naive", Way.CORRECTED: "Corrected", Way.GOLD: "Gold alone"}
UNCLEAR = "Pale cells with grey numbers have a 95% interval that includes 0, or none; a dash is undefined."


def stars_say(over: str) -> str:
    """`over` names the tests that were corrected for together.

    >>> stars_say("the codes")
    "* p < 0.05, ** p < 0.01, *** p < 0.001, after Holm's correction over the codes."
    """
    return f"* p < 0.05, ** p < 0.01, *** p < 0.001, after Holm's correction over {over}."


def intervals(shown_as: str, clustered_by: str) -> str:
    """
    >>> intervals("Bands", "post"), intervals("Whiskers", "item_id")
    ('Bands are 95% intervals with errors clustered by post.', 'Whiskers are 95% intervals.')
    """
    return f"{shown_as} are 95% intervals{errors(clustered_by)}."


def errors(clustered_by: str) -> str:
    return "" if clustered_by == "item_id" else f" with errors clustered by {clustered_by}"


def of_labels(way: Way) -> str:
    return {Way.NAIVE: _NAIVE, Way.GOLD: _GOLD, Way.CORRECTED: _CORRECTED}[way]


def ways_in_words(ways: Sequence[Way]) -> str:
    return BOTH_WAYS if len(ways) > 1 else of_labels(ways[0])


def way_name(way: Way) -> str:
    return _NAMES[way]


def in_order(names: Sequence[str]) -> str:
    """
    >>> in_order(["a"]), in_order(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return some_of(names, len(names))
