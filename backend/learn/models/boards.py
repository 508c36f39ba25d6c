"""The leaderboard of a release: what adapters trained on it reach, learner by learner, with baselines beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from annotation.release.rows import SplitPart
from backend.decide.releases.models import Release
from backend.design.codebooks.selectors import codebook_of
from backend.learn.models.grids import validation_score
from backend.learn.models.models import Adapter
from backend.learn.models.probing import newest_probes
from backend.learn.models.promotion import overrides_of
from learning.learners.registry import UnknownLearner, learner_spec, title_of
from learning.learners.spec import SHORT_INPUTS, learns_evidence
from learning.scoring.leaderboard import BoardRow, Cell, Leaderboard, Run, RunName, leaderboard
from learning.scoring.leaderboard_tables import csv_board, latex_board
from learning.scoring.values import Evaluation


@dataclass(frozen=True, slots=True)
class Board:
    """`adapters` has one for each run; `n_others` how many more with the same learner, backbone, input and evidence
    each stands for: the one that is best on the validation part, so that the test part chooses nothing. `overrides`
    says, by the place of its run, how one was put in service against the promotion rule."""

    table: Leaderboard
    adapters: tuple[Adapter, ...]
    n_others: tuple[int, ...]
    overrides: dict[int, str]

    def columns(self) -> list[tuple[RunName, bool, Adapter, int]]:
        """Each run, whether it has a column of sensitivities too, its adapter and how many others it stands for."""
        return list(zip(self.table.runs, self.table.is_probed, self.adapters, self.n_others, strict=True))

    def rows(self) -> list[tuple[BoardRow, list[tuple[Cell, bool]]]]:
        """With whether each cell has a sensitivity beside it."""
        return [(row, list(zip(row.cells, self.table.is_probed, strict=True))) for row in self.table.rows]


def board_of(release: Release, part: SplitPart, *, every: bool = False) -> Board | None:
    """With `every`, each adapter stands for itself. None if no adapter was measured on the part."""
    measured = [
        adapter
        for adapter in release.adapters.select_related("study", "release").order_by("number")
        if part.value in adapter.read_card().measures
    ]
    names = _names(measured)
    groups: dict[object, list[Adapter]] = {}
    for adapter in measured:
        groups.setdefault(adapter.pk if every else names[adapter.pk], []).append(adapter)
    chosen = [(_best(own), len(own) - 1) for own in groups.values()]
    chosen.sort(key=lambda each: _order(each[0], names[each[0].pk]))
    if not chosen:
        return None
    probes = newest_probes(release.study)
    runs = [
        Run(
            _name_run(names[adapter.pk], adapter) if every else names[adapter.pk],
            _measures(adapter, part),
            probes[adapter.pk].sensitivities if adapter.pk in probes else {},
        )
        for adapter, _ in chosen
    ]
    table = leaderboard(runs, codebook_of(release.edition))
    by_hand = overrides_of(release.study)
    overrides = {
        place: by_hand[adapter.pk].words for place, (adapter, _) in enumerate(chosen) if adapter.pk in by_hand
    }
    return Board(table, tuple(adapter for adapter, _ in chosen), tuple(n for _, n in chosen), overrides)


def _measures(adapter: Adapter, part: SplitPart) -> Evaluation:
    return adapter.read_card().measures[part.value]


def _best(adapters: Sequence[Adapter]) -> Adapter:
    def mean_score(adapter: Adapter) -> float:
        score = validation_score(adapter)
        return score.value if score and score.value is not None else -1.0

    return max(adapters, key=mean_score)


def _names(adapters: Sequence[Adapter]) -> dict[int, RunName]:
    """By primary key. Of a backbone the last part of its name is said, and all of it where two end alike."""
    configs = {adapter.pk: adapter.read_card().config for adapter in adapters}
    backbones = {pk: str(config.get("backbone", "")).rstrip("/") for pk, config in configs.items()}
    ends = Counter(_end(backbone) for backbone in set(backbones.values()))
    found = {}
    for adapter in adapters:
        config, backbone = configs[adapter.pk], backbones[adapter.pk]
        shown = _end(backbone) if ends[_end(backbone)] == 1 else backbone
        told = (title_of(adapter.learner), shown, "all weights" if config.get("full") else "")
        asked = str(config.get("input", ""))
        found[adapter.pk] = RunName(
            ", ".join(filter(None, told)), SHORT_INPUTS.get(asked, asked), learns_evidence(config)
        )
    return found


def _end(backbone: str) -> str:
    return backbone.rpartition("/")[-1]


def _name_run(name: RunName, adapter: Adapter) -> RunName:
    return replace(name, learner=f"{name.learner} ({adapter.number})")


def _order(adapter: Adapter, name: RunName) -> tuple[bool, str, str, bool, int]:
    """Baselines first, then learner by learner."""
    try:
        is_baseline = learner_spec(adapter.learner).is_baseline
    except UnknownLearner:
        is_baseline = False
    return (not is_baseline, name.learner, name.input, name.with_evidence, adapter.number)


CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "tex": "application/x-tex; charset=utf-8"}


def export_board(board: Board, form: str) -> str:
    write = csv_board if form == "csv" else latex_board
    return write(board.table, overrides=board.overrides)
