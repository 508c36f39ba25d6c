"""`simulate_active_learning`: a release in, curves and tables out."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from annotation.release.read import read_release
from corpus.atomic_files import replace_file
from learning.learning_curves.plot import curves_svg
from learning.learning_curves.simulation import SimulationSettings, encode_simulation
from learning.learning_curves.simulation_tables import curves_csv, summary_csv, summary_lines
from learning.query_strategies.names import StrategyName
from ml_backend.curves.simulate import simulate
from ml_backend.encoder.config import PACKAGED
from ml_backend.learners.interface import Report
from ml_backend.pools.choice import choose_pool

CURVES, POINTS, SUMMARY, PLOT = "curves.json", "curves.csv", "summary.csv", "curves.svg"


class UnknownStrategy(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(f"There is no strategy {name!r}: choose from {', '.join(StrategyName)}.")


def simulate_active_learning(options: Namespace, report: Report) -> None:
    release = read_release(options.release)
    settings = SimulationSettings(
        release=release.manifest.name,
        release_hash=release.manifest.hash,
        learner=options.learner,
        strategies=_strategies(options.strategies),
        start=options.start,
        step=options.step,
        most=options.most,
        random_share=options.random_share,
        per_cost=options.per_cost,
        seeds=tuple(range(options.seed, options.seed + options.seeds)),
    )
    pool = choose_pool(os.environ, options.workers, max(1, options.threads))
    simulation = simulate(release, settings, pool, backbone=options.backbone or PACKAGED, report=report)
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    replace_file(out / CURVES, encode_simulation(simulation))
    replace_file(out / POINTS, curves_csv(simulation).encode())
    replace_file(out / SUMMARY, summary_csv(simulation).encode())
    replace_file(out / PLOT, curves_svg(simulation).encode())
    print("\n".join(summary_lines(simulation)))
    print(f"{out}: {CURVES}, {POINTS}, {SUMMARY}, {PLOT}")


def _strategies(asked: str) -> tuple[str, ...]:
    """Random always comes first, because the others are compared with it."""
    names = [name.strip() for name in asked.split(",") if name.strip()]
    for name in names:
        if name not in set(StrategyName):
            raise UnknownStrategy(name)
    others = [name for name in dict.fromkeys(names) if name != StrategyName.RANDOM]
    return (StrategyName.RANDOM.value, *others)
