"""The registry of agreement statistics, from which tables, pages, exports, rules, API and docs are made.

To add a statistic, write one file in `statistics/` that defines STATISTIC, and a test of its values. Nothing else lists
them. What every statistic must keep to is in tests/annotation/agreement/test_statistics.py.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotation.agreement.bootstrap import Values
    from annotation.agreement.totals import Totals

# To be raised with every change of formulas or notes by which the same judgments would give another report: it is then
# measured anew. A new statistic raises the version by its own `since`.
_FORMULAS = 5


class UnknownStatistic(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(f"There is no statistic {name!r}: it is one of {', '.join(statistic_names())}.")


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of agreement on a table of ratings.

    `function` makes one value per row of totals, or, where `of_pair` says what it is called there, one for each pair of
    raters; the statistic is then the mean over pairs. `order` is its place in tables, `since` the version of the method
    that first had it.
    """

    name: str
    label: str
    head: str
    tex: str
    formula: str
    gaps: str
    source: str
    function: Callable[[Totals], Values]
    # What weighs the same where items have different numbers of ratings; {noun} is what an item is called.
    weighing: str
    order: int
    since: int = 1
    of_pair: str = ""
    # Whether an item with one rating tells it how common each answer is.
    counts_single_ratings: bool = False
    # From the shares of the answers, the disagreement that is expected by chance; None where the statistic does not
    # measure agreement, so that no rule can rest on it.
    chance_disagreement: Callable[[Sequence[float]], float] | None = None
    # Agreement by chance is nearly complete where one answer is rare, and intervals are then too narrow.
    is_misled_by_rare_answers: bool = False
    has_band: bool = True
    depends_on_level: bool = False
    # Also in short tables: sentences, LaTeX, the data card.
    in_short_tables: bool = False
    as_percent: bool = False

    @property
    def can_be_rule(self) -> bool:
        return self.chance_disagreement is not None

    @property
    def docs_row(self) -> str:
        """Its row in the table of `manage.py agreement --statistics`, Markdown."""
        cells = (f"{self.label} (`{self.name}`)", self.formula, self.gaps, self.source)
        return f"| {' | '.join(cells)} |"


@cache
def statistics() -> tuple[Statistic, ...]:
    """All of them, in the order of tables; loaded when first asked for, because they need NumPy.

    >>> [each.name for each in statistics()][:3]
    ['fleiss_kappa', 'krippendorff_alpha', 'gwet_ac1']
    """
    package = import_module("annotation.agreement.statistics")
    modules = (
        import_module(f"{package.__name__}.{each.name}") for each in pkgutil.iter_modules(package.__path__)
    )
    found: list[Statistic] = [module.STATISTIC for module in modules]
    return tuple(sorted(found, key=lambda each: (each.order, each.name)))


def statistic(name: str) -> Statistic:
    for each in statistics():
        if each.name == name:
            return each
    raise UnknownStatistic(name)


def statistic_names() -> tuple[str, ...]:
    return tuple(each.name for each in statistics())


def rule_statistics() -> tuple[Statistic, ...]:
    """Those that a study's rule may rest on."""
    return tuple(each for each in statistics() if each.can_be_rule)


def short_table_statistics() -> tuple[Statistic, ...]:
    return tuple(each for each in statistics() if each.in_short_tables)


def method_version() -> int:
    """Reports of another version are measured anew, and the old ones say by which they were made."""
    return max(_FORMULAS, *(each.since for each in statistics()))


def docs_table() -> str:
    """Every statistic with its formula, what it does with gaps and where it comes from, as a Markdown table."""
    head = ["| statistic | formula | gaps | source |", "|---|---|---|---|"]
    return "\n".join([*head, *(each.docs_row for each in statistics())])
