"""The leaderboard of a release: what adapters trained on it reach, learner by learner, with baselines beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.adapters.learners import (
    SHORT_INPUTS,
    NotDescribed,
    described,
    learns_evidence,
    title_of,
)
from annotation.release.rows import SplitPart
from annotation.scoring.leaderboard import Leaderboard, Run, RunName, leaderboard
from annotation.scoring.values import Evaluation
from backend.adapters.grids import validation_score
from backend.adapters.models import Adapter
from backend.codebooks.selectors import codebook_of
from backend.releases.models import Release


@dataclass(frozen=True, slots=True)
class Board:
    """`adapters` has one for each run; `n_others` how many more with the same learner, input and evidence each stands
    for: the one that is best on the validation part, so that the test part chooses nothing."""

    table: Leaderboard
    adapters: tuple[Adapter, ...]
    n_others: tuple[int, ...]


def board_of(release: Release, part: SplitPart, *, every: bool = False) -> Board | None:
    """With `every`, each adapter stands for itself. None if no adapter was measured on the part."""
    measured = [
        adapter
        for adapter in release.adapters.select_related("study", "release").order_by("number")
        if part.value in adapter.read_card().measures
    ]
    groups: dict[object, list[Adapter]] = {}
    for adapter in measured:
        groups.setdefault(adapter.pk if every else _name(adapter), []).append(adapter)
    chosen = sorted(((_best(own), len(own) - 1) for own in groups.values()), key=_order)
    if not chosen:
        return None
    runs = [Run(_name(adapter, numbered=every), _measures(adapter, part)) for adapter, _ in chosen]
    table = leaderboard(runs, codebook_of(release.edition))
    return Board(table, tuple(adapter for adapter, _ in chosen), tuple(n for _, n in chosen))


def _measures(adapter: Adapter, part: SplitPart) -> Evaluation:
    return adapter.read_card().measures[part.value]


def _best(adapters: Sequence[Adapter]) -> Adapter:
    def reached(adapter: Adapter) -> float:
        score = validation_score(adapter)
        return score.value if score and score.value is not None else -1.0

    return max(adapters, key=reached)


def _name(adapter: Adapter, *, numbered: bool = False) -> RunName:
    config = adapter.read_card().config
    title = title_of(adapter.learner)
    asked = str(config.get("input", ""))
    return RunName(
        f"{title} ({adapter.number})" if numbered else title,
        SHORT_INPUTS.get(asked, asked),
        learns_evidence(config),
    )


def _order(chosen: tuple[Adapter, int]) -> tuple[bool, str, str, bool, int]:
    """Baselines first, then learner by learner."""
    adapter, _ = chosen
    try:
        is_baseline = described(adapter.learner).is_baseline
    except NotDescribed:
        is_baseline = False
    name = _name(adapter)
    return (not is_baseline, name.learner, name.input, name.with_evidence, adapter.number)
