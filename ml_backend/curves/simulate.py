"""Plays active learning over labels that are there already: what would each strategy have asked for, and gained?

The train part of a release is the pool and its test part measures, but for items that were judged with a model's
suggestion in view. A strategy sees the labels it has bought and the texts of the others; batches are filled as in a
study, the random stream among them. Each curve is a cell of a pool of workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from annotation.release.read import ReadRelease
from annotation.release.rows import SplitPart
from codebook.editions import canonical_json, codebook_from_canonical
from codebook.questions import ModelQuestion, model_questions
from codebook.schema import Codebook
from learning.learning_curves.simulation import CurvePoint, Run, Simulation, SimulationSettings
from learning.predictions.rows import answer_values
from learning.query_strategies.cost import CostModel
from learning.query_strategies.mixed_draw import mixed_draw
from learning.query_strategies.named import StrategyRequest, make_strategy
from learning.query_strategies.names import StrategyName
from learning.query_strategies.pool import Pool
from ml_backend.curves.bench import Bench, Models
from ml_backend.curves.features import featurizer
from ml_backend.examples import Example, NothingToLearn, examples_in, examples_of, labelled_questions
from ml_backend.learners.interface import Report
from ml_backend.learners.scores import Numbers
from ml_backend.pools.interface import Cell, CellFailure, Work
from ml_backend.pools.interface import Pool as WorkerPool

COMMITTEE_MEMBERS = 3
SET_UP, RUN_CELL = f"{__name__}.set_up", f"{__name__}.run_cell"


class PoolTooSmall(ValueError):
    def __init__(self, n_pool: int, start: int, most: int) -> None:
        super().__init__(
            f"The train part has {n_pool:,} items, and {most:,} labels are asked for after a start of {start:,}: "
            "ask for at least one step after the start and for at most all items."
        )


class NothingUnsuggested(ValueError):
    def __init__(self, n_suggested: int) -> None:
        super().__init__(
            f"All {n_suggested:,} items of the test part were judged with a model's suggestion in view, and so measure "
            "nothing. Freeze a release with others in its test part."
        )


class NothingTold(ValueError):
    def __init__(self) -> None:
        super().__init__(
            "No theme has two different answers in the test part, so that it measures no model: use a release with "
            "a larger test part."
        )


class CurvesFailed(RuntimeError):
    def __init__(self, failure: CellFailure) -> None:
        super().__init__(f"A curve could not be made: {failure.reason}")


class Material(msgspec.Struct, frozen=True):
    """All that a worker is given; examples of the pool come first, then the test's."""

    settings: SimulationSettings
    codebook: str
    examples: tuple[Example, ...]
    n_pool: int
    backbone: str


class CellRequest(msgspec.Struct, frozen=True):
    """A curve; without a strategy, the score of all labels."""

    strategy: str
    seed: int


ALL_LABELS = CellRequest("", 0)


@dataclass(frozen=True, slots=True)
class _Arena:
    """Everything that is the same for all strategies and seeds."""

    settings: SimulationSettings
    codebook: Codebook
    bench: Bench
    n_pool: int
    minutes: Numbers
    embeddings: Numbers
    counts_in_test: Numbers

    def score(self, models: Models) -> float:
        return self.bench.mean_score(models, self.counts_in_test)


def simulate(
    release: ReadRelease, settings: SimulationSettings, pool: WorkerPool, *, backbone: str, report: Report
) -> Simulation:
    """The same release and settings give the same curves on every pool."""
    material, n_suggested = _material(release, settings, backbone)
    cells = [
        ALL_LABELS,
        *(CellRequest(name, seed) for seed in settings.seeds for name in settings.strategies),
    ]
    report(f"Reading {len(material.examples):,} texts for {settings.learner}")
    full, runs = float("nan"), dict[int, Run]()
    work = Work(RUN_CELL, SET_UP, msgspec.msgpack.encode(material))
    for outcome in pool.run(work, (Cell(n, msgspec.msgpack.encode(cell)) for n, cell in enumerate(cells))):
        if isinstance(outcome, CellFailure):
            raise CurvesFailed(outcome)
        run = msgspec.msgpack.decode(outcome.content, type=Run)
        last = run.points[-1]
        if outcome.number == 0:
            full = last.score
            if np.isnan(full):
                raise NothingTold
            report(f"All {material.n_pool:,} labels score {full:.3f}")
        else:
            runs[outcome.number] = run
            report(f"Seed {run.seed}, {run.strategy}: {last.score:.3f} with {last.n_labels:,} labels")
    return Simulation(
        settings=settings,
        codes=tuple(question.code_id for question in _questions(release.codebook, material)),
        n_pool=material.n_pool,
        n_test=len(material.examples) - material.n_pool,
        full_score=full,
        runs=tuple(runs[number] for number in sorted(runs)),
        n_suggested=n_suggested,
    )


def _material(release: ReadRelease, settings: SimulationSettings, backbone: str) -> tuple[Material, int]:
    """And how many items of the test part measure nothing. Raises what says that a release cannot be played."""
    pool = examples_of(release, SplitPart.TRAIN)
    in_test = [row for row in release.rows if row.split is SplitPart.TEST]
    test = examples_in(release, [row for row in in_test if not row.item.suggested_by])
    for part, n_found in ((SplitPart.TRAIN, len(pool)), (SplitPart.TEST, len(in_test))):
        if not n_found:
            raise NothingToLearn(part)
    if not test:
        raise NothingUnsuggested(len(in_test))
    if not 0 < settings.start < settings.most <= len(pool):
        raise PoolTooSmall(len(pool), settings.start, settings.most)
    found = Material(settings, canonical_json(release.codebook), (*pool, *test), len(pool), backbone)
    return found, len(in_test) - len(test)


def _questions(codebook: Codebook, material: Material) -> tuple[ModelQuestion, ...]:
    return labelled_questions(model_questions(codebook), material.examples[: material.n_pool])


def set_up(shared: bytes) -> _Arena:
    """In each worker, before its first cell."""
    material = msgspec.msgpack.decode(shared, type=Material)
    settings, examples, n_pool = material.settings, material.examples, material.n_pool
    codebook = codebook_from_canonical(material.codebook)
    features = featurizer(settings.learner, backbone=material.backbone, report=lambda line: None)
    bench = Bench(examples, _questions(codebook, material), features)
    needs_embeddings = any(StrategyName(name).needs_embeddings for name in settings.strategies)
    return _Arena(
        settings=settings,
        codebook=codebook,
        bench=bench,
        n_pool=n_pool,
        minutes=CostModel().costs([_n_words(example) for example in examples[:n_pool]]),
        embeddings=bench.embeddings() if needs_embeddings else np.zeros((len(examples), 1)),
        counts_in_test=np.repeat([0.0, 1.0], [n_pool, len(examples) - n_pool]),
    )


def run_cell(arena: _Arena, payload: bytes) -> bytes:
    cell = msgspec.msgpack.decode(payload, type=CellRequest)
    # Fits are so small that threads would only wait for each other.
    with threadpool_limits(1):
        return msgspec.msgpack.encode(Run(cell.strategy, cell.seed, tuple(_points(arena, cell))))


def _points(arena: _Arena, cell: CellRequest) -> Iterator[CurvePoint]:
    if cell == ALL_LABELS:
        full = arena.score(arena.bench.fit(range(arena.n_pool)))
        return iter([CurvePoint(arena.n_pool, float(arena.minutes.sum()), full)])
    first = np.random.default_rng(cell.seed).permutation(arena.n_pool)[: arena.settings.start]
    return _curve(arena, StrategyName(cell.strategy), first, cell.seed)


def _n_words(example: Example) -> int:
    text = example.text
    return sum(len(part.split()) for part in (text.title, text.post, text.reply or ""))


def _curve(arena: _Arena, name: StrategyName, first: NDArray[np.int64], seed: int) -> Iterator[CurvePoint]:
    bought = first
    while True:
        models = arena.bench.fit(bought)
        yield CurvePoint(len(bought), float(arena.minutes[bought].sum()), arena.score(models))
        n = min(arena.settings.step, arena.settings.most - len(bought))
        if n <= 0:
            return
        bought = np.concatenate([bought, _next(arena, name, models, bought, n, seed)])


def _next(
    arena: _Arena, name: StrategyName, models: Models, bought: NDArray[np.int64], n: int, seed: int
) -> NDArray[np.int64]:
    left = np.setdiff1d(np.arange(arena.n_pool), bought)
    committee = [models]
    if name.needs_committee:
        rng = np.random.default_rng([seed, len(bought)])
        committee = [arena.bench.fit(rng.choice(bought, len(bought))) for _ in range(COMMITTEE_MEMBERS)]
    pool = _pool(arena, committee if name.needs_model else [], left, bought)
    wanted = StrategyRequest(
        name=name,
        n=n,
        seed=seed,
        codebook=arena.codebook,
        n_found=_n_found(arena, bought),
        costs=arena.minutes[left] if arena.settings.per_cost else None,
    )
    draw = mixed_draw(
        pool,
        make_strategy(wanted),
        n=n,
        random_share=arena.settings.random_share,
        seed=seed,
        aim=name.aim,
    )
    place = {arena.bench.examples[at].item_id: at for at in left}
    return np.array([place[item.item_id] for item in draw.chosen], dtype=np.int64)


def _pool(
    arena: _Arena, committee: Sequence[Models], left: NDArray[np.int64], bought: NDArray[np.int64]
) -> Pool:
    by_member = [arena.bench.probabilities(models, left) for models in committee]
    learned = [question.code_id for question in arena.bench.questions]
    probabilities = []
    for question, code in arena.codebook.coded_questions() if committee else ():
        if code.id in learned:
            probabilities.append(np.stack([member[learned.index(code.id)] for member in by_member]))
        else:
            probabilities.append(np.full((len(committee), len(left), len(answer_values(question))), np.nan))
    ids = tuple(arena.bench.examples[at].item_id for at in left)
    return Pool(ids, tuple(probabilities), arena.embeddings[left], arena.embeddings[bought])


def _n_found(arena: _Arena, bought: NDArray[np.int64]) -> Mapping[str, int]:
    found = {}
    for question, code in arena.codebook.coded_questions():
        targets = [arena.bench.examples[at].targets.get(code.id) for at in bought]
        found[code.id] = sum(
            target is not None and target.value in question.present_values for target in targets
        )
    return found
