"""Active learning played over labels that are there."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from annotation.release.read import ReadRelease, read_release
from annotation.release.rows import ReleaseRow, SplitPart
from codebook.shipped import load_shipped
from learning.learning_curves.simulation import Simulation, SimulationSettings, decode_simulation
from learning.learning_curves.simulation_tables import summary_lines
from learning.query_strategies.names import StrategyName
from ml_backend.arguments import parser
from ml_backend.curves.command import UnknownStrategy, simulate_active_learning
from ml_backend.curves.simulate import NothingTold, NothingUnsuggested, PoolTooSmall, simulate
from tests.ml_backend.fixtures import made_release, quiet
from tests.ml_backend.pools.here import HerePool

SETTINGS = SimulationSettings(
    release="",
    release_hash="",
    learner="latent-logistic",
    strategies=tuple(name.value for name in StrategyName),
    start=6,
    step=5,
    most=18,
    random_share=0.2,
    per_cost=False,
    seeds=(1, 2),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_release(tmp_path_factory.mktemp("release") / "small", load_shipped("epitome"), 60)


@pytest.fixture(scope="module")
def release(folder: Path) -> ReadRelease:
    return read_release(folder)


def simulated(release: ReadRelease, **changes: object) -> Simulation:
    settings = msgspec.structs.replace(SETTINGS, **changes)
    return simulate(release, settings, HerePool(), backbone="", report=quiet)


def test_every_strategy_buys_as_asked_from_the_same_beginning(release: ReadRelease) -> None:
    found = simulated(release)
    assert len(found.runs) == 2 * len(StrategyName)
    for run in found.runs:
        assert [point.n_labels for point in run.points] == [6, 11, 16, 18]
        minutes = [point.minutes for point in run.points]
        assert minutes == sorted(minutes) and minutes[0] >= 3
    for seed in (1, 2):
        assert len({run.points[0].score for run in found.runs if run.seed == seed}) == 1
    assert {run.points[0].score for run in found.runs if run.seed == 1} != {
        run.points[0].score for run in found.runs if run.seed == 2
    } or found.full_score == 1
    assert 0 < found.full_score <= 1 and found.n_pool + found.n_test < 60


def test_the_same_settings_give_the_same_curves(release: ReadRelease) -> None:
    few = {"strategies": ("random", "badge-like", "committee"), "seeds": (3,)}
    assert simulated(release, **few) == simulated(release, **few)


def test_cost_changes_what_is_bought_but_not_what_chance_buys(release: ReadRelease) -> None:
    few = {"strategies": ("random", "entropy"), "seeds": (1,), "learner": "tfidf-logistic"}
    plain, per_cost = simulated(release, **few), simulated(release, **few, per_cost=True)
    assert plain.runs[0] == per_cost.runs[0]
    assert per_cost.runs[1].points[-1].minutes <= plain.runs[1].points[-1].minutes


def with_suggestions(release: ReadRelease, n: int) -> ReadRelease:
    """As if the first n items of the test part had been judged with a suggestion in view, and wrongly."""
    in_test = [row.item.item_id for row in release.rows if row.split is SplitPart.TEST]
    shown = set(in_test[:n])

    def seen(row: ReleaseRow) -> ReleaseRow:
        labels = tuple(replace(label, value=2 - (label.value or 0)) for label in row.labels)
        return replace(row, item=replace(row.item, suggested_by=("a" * 64,)), labels=labels)

    return replace(
        release, rows=tuple(seen(row) if row.item.item_id in shown else row for row in release.rows)
    )


def test_items_judged_with_a_suggestion_in_view_measure_nothing(release: ReadRelease) -> None:
    few = {"strategies": ("random",), "seeds": (1,)}
    plain, found = simulated(release, **few), simulated(with_suggestions(release, 4), **few)
    assert (found.n_test, found.n_suggested) == (plain.n_test - 4, 4)
    assert found.full_score >= plain.full_score
    assert "suggestion in view: 4 items" in "\n".join(summary_lines(found))
    with pytest.raises(NothingUnsuggested, match="suggestion in view"):
        simulated(with_suggestions(release, plain.n_test), **few)


def test_what_cannot_be_played_is_refused(release: ReadRelease) -> None:
    with pytest.raises(PoolTooSmall, match="at most all items"):
        simulated(release, most=10_000)
    with pytest.raises(PoolTooSmall, match="one step after the start"):
        simulated(release, start=18)
    train = [row for row in release.rows if row.split is not SplitPart.TEST]
    one = next(row for row in release.rows if row.split is SplitPart.TEST)
    with pytest.raises(NothingTold, match="larger test part"):
        simulated(replace(release, rows=(*train, one)))


def asked(folder: Path, out: Path, *more: str) -> Namespace:
    few = ["--start", "6", "--step", "6", "--most", "12", "--seeds", "2", "--learner", "latent-logistic"]
    few += ["--workers", "2"]
    return parser().parse_args(["simulate_active_learning", str(folder), str(out), *few, *more])


def test_the_command_leaves_curves_and_tables(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    simulate_active_learning(asked(folder, tmp_path / "out", "--strategies", "margin"), quiet)
    found = decode_simulation((tmp_path / "out" / "curves.json").read_bytes())
    assert found.settings.strategies == ("random", "margin") and found.settings.seeds == (1, 2)
    assert found.settings.release == "First release"
    assert found == simulate(read_release(folder), found.settings, HerePool(), backbone="", report=quiet)
    assert (tmp_path / "out" / "curves.csv").read_text().count("\n") == 1 + 2 * 2 * 2
    assert (tmp_path / "out" / "summary.csv").read_text().startswith("strategy,runs,reached")
    assert "labels to 95%" in capsys.readouterr().out


def test_a_strategy_that_is_not_there_is_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownStrategy, match="'luck'"):
        simulate_active_learning(asked(folder, tmp_path / "out", "--strategies", "luck"), quiet)
