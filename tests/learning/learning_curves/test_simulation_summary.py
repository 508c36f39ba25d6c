"""Made-up curves of which it is known what they say."""

import csv
import io

import pytest

from learning.learning_curves.simulation import (
    CurvePoint,
    Run,
    Simulation,
    SimulationSettings,
    SimulationUnreadable,
    decode_simulation,
    encode_simulation,
)
from learning.learning_curves.simulation_summary import mean_curve, summaries, target_of
from learning.learning_curves.simulation_tables import curves_csv, summary_csv, summary_lines

SIZES = (100, 200, 300, 400)


def run(strategy: str, seed: int, *scores: float) -> Run:
    points = zip(SIZES, scores, strict=True)
    return Run(strategy, seed, tuple(CurvePoint(n, n / 2, score) for n, score in points))


def simulation(*runs: Run, full: float = 1.0) -> Simulation:
    settings = SimulationSettings(
        release="Made up",
        release_hash="0" * 64,
        learner="tfidf-logistic",
        strategies=tuple(dict.fromkeys(run.strategy for run in runs)),
        start=100,
        step=100,
        most=400,
        random_share=0.2,
        per_cost=False,
        seeds=(1, 2, 3),
    )
    return Simulation(settings=settings, codes=("worry",), n_pool=500, n_test=90, full_score=full, runs=runs)


FASTER = simulation(
    *(run("random", seed, 0.5, 0.7, 0.9, 1.0) for seed in (1, 2, 3)),
    run("entropy", 1, 0.5, 0.9, 1.0, 1.0),
    run("entropy", 2, 0.5, 0.8, 1.0, 1.0),
    run("entropy", 3, 0.5, 0.95, 1.0, 1.0),
    run("k-centre", 1, 0.5, 0.6, 0.7, 1.0),
    run("k-centre", 2, 0.5, 0.6, 0.7, 0.8),
    run("k-centre", 3, 0.5, 0.6, 0.7, 1.0),
)


def test_labels_needed_and_what_was_saved() -> None:
    random, entropy, k_centre = summaries(FASTER)
    assert target_of(FASTER) == 0.95
    assert (random.labels, random.minutes, random.n_reached) == pytest.approx((350, 175, 3))
    assert random.labels_apart is None and random.score_apart is None
    assert entropy.labels == pytest.approx((250 + 275 + 200) / 3)
    assert entropy.labels_apart is not None and entropy.labels_apart.value == pytest.approx(-325 / 3)
    assert entropy.labels_apart.is_below_zero
    # Without the beginning, which all share: (0.2 + 0.1 + 0) / 3, (0.1 + 0.1) / 3 and (0.25 + 0.1) / 3
    assert entropy.score_apart is not None
    assert entropy.score_apart.value == pytest.approx((0.3 + 0.2 + 0.35) / 9)
    assert entropy.score_apart.is_above_zero
    assert (k_centre.labels, k_centre.labels_apart, k_centre.n_reached) == (None, None, 2)


def test_the_mean_curve_is_over_seeds() -> None:
    assert mean_curve(FASTER.runs_of("k-centre"))[-1] == pytest.approx((400, 2.8 / 3))


def test_tables_have_every_point_and_say_what_was_not_reached() -> None:
    points = list(csv.DictReader(io.StringIO(curves_csv(FASTER))))
    assert len(points) == 9 * 4
    assert points[-1] == {
        "strategy": "k-centre",
        "seed": "3",
        "labels": "400",
        "minutes": "200.00",
        "score": "1.000000",
    }
    rows = {row["strategy"]: row for row in csv.DictReader(io.StringIO(summary_csv(FASTER)))}
    assert rows["random"]["labels_to_95"] == "350" and rows["random"]["score_apart"] == ""
    assert rows["entropy"]["labels_apart"] == "-108.3" and float(rows["entropy"]["labels_high"]) < 0
    assert rows["k-centre"]["labels_to_95"] == "" and rows["k-centre"]["reached"] == "2"
    printed = "\n".join(summary_lines(FASTER))
    assert "reached in 2 of 3" in printed and "-108 [" in printed and "95% are 0.950" in printed


def test_where_random_does_not_get_there_the_difference_is_a_bound() -> None:
    """It counts as if it did with the last of 400 labels."""
    slow = [run("random", seed, 0.5, 0.6, 0.7, 0.8) for seed in (1, 2, 3)]
    fast = [run("entropy", seed, 0.5, 0.9, 1.0, 1.0) for seed in (1, 2, 3)]
    found = simulation(*slow, *fast)
    (_, entropy) = summaries(found)
    assert entropy.is_bound and entropy.labels_apart is not None
    assert entropy.labels_apart.value == pytest.approx(250 - 400)
    assert "below -150" in "\n".join(summary_lines(found))
    rows = {row["strategy"]: row for row in csv.DictReader(io.StringIO(summary_csv(found)))}
    assert (rows["entropy"]["is_bound"], rows["entropy"]["labels_low"]) == ("yes", "")


def test_one_seed_has_no_interval() -> None:
    alone = simulation(run("random", 1, 0.1, 0.2, 0.3, 0.4), run("entropy", 1, 0.1, 0.3, 0.3, 0.4), full=0.4)
    (_, entropy) = summaries(alone)
    assert entropy.score_apart is not None and entropy.score_apart.low is None
    assert "+0.033  " in "\n".join(summary_lines(alone))


def test_a_file_of_curves_is_read_back_and_another_is_refused() -> None:
    assert decode_simulation(encode_simulation(FASTER)) == FASTER
    with pytest.raises(SimulationUnreadable, match="Simulate again"):
        decode_simulation(b'{"format": 1}')
