"""`cause_table`: a release in, the table of all variants out, resumed where it was stopped."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from annotation.release.read import ReadRelease, read_release
from annotation.release.rows import SplitPart
from codebook.editions import canonical_json
from codebook.questions import model_questions
from codebook.schema import AnswerKind
from corpus.atomic_files import replace_file, sole_writer
from learning.cause_table.cells import CellAnswer, TableCell, cells_of
from learning.cause_table.results import TableRow, table_rows
from learning.cause_table.tables import table_csv, table_latex, table_lines
from learning.cause_table.variants import Variant, choose_variants
from ml_backend.cause_table.cells import CellRequest, SharedTable
from ml_backend.examples import NothingToLearn, examples_of, labelled_questions
from ml_backend.learners.interface import Report
from ml_backend.learners.registry import learner_type, make_config
from ml_backend.pools.choice import choose_pool
from ml_backend.pools.grid import GridRun
from ml_backend.pools.interface import Cell, Pool, Work

SET_UP, RUN_CELL = "ml_backend.cause_table.cells.set_up", "ml_backend.cause_table.cells.run_cell"
RESAMPLES = 2000
SEED_OF_RESAMPLES = 1


class OptionUnreadable(ValueError):
    def __init__(self, given: str) -> None:
        super().__init__(f"{given!r} is not of the form OPTION=VALUE, such as train_backbone=true.")


class NoSentences(ValueError):
    def __init__(self) -> None:
        super().__init__(
            "The table is of codes that are answered by sentences, and no labelled code of the release is. Choose a "
            "release whose codebook has such a question, such as empathy-cause."
        )


def cause_table(options: Namespace, report: Report) -> None:
    variants = choose_variants(
        tuple(options.variant),
        of_co_attention=dict(map(read_option, options.option)),
        prompt_backbone=options.prompt_backbone or "",
    )
    pool = choose_pool(os.environ, options.workers, options.threads)
    rows = make_table(options.release, options.out, variants, options.seeds, pool, report)
    print("\n".join(table_lines(rows)))
    print(f"{options.out}: table.csv, table.tex")


def read_option(given: str) -> tuple[str, object]:
    """
    >>> read_option("train_backbone=true"), read_option("backbone=models/mpnet")
    (('train_backbone', True), ('backbone', 'models/mpnet'))
    """
    name, sign, value = given.partition("=")
    if not sign or not name:
        raise OptionUnreadable(given)
    try:
        return name.replace("-", "_"), msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name.replace("-", "_"), value


def make_table(
    release_folder: Path,
    out: Path,
    variants: Sequence[Variant],
    n_seeds: int,
    pool: Pool,
    report: Report,
) -> tuple[TableRow, ...]:
    """What is in the folder already is not trained again. Raises CellsFailed and GridStopped, also for a signal."""
    for variant in variants:
        make_config(learner_type(variant.learner), variant.options)
    release = read_release(release_folder)
    shared = shared_table(release)
    cells = cells_of(out, release.manifest.hash, variants, n_seeds)
    left = [cell for cell in cells if not cell.is_done]
    report(f"{len(cells)} models, {len(cells) - len(left)} of them trained already")
    grid = GridRun(len(cells), len(cells) - len(left), report)
    with sole_writer(out):
        if left:
            work = Work(RUN_CELL, SET_UP, msgspec.msgpack.encode(shared))
            grid.follow(pool.run(work, _payloads(left)), left, TableCell.keep)
        answers: dict[str, list[CellAnswer]] = {variant.name: [] for variant in variants}
        for cell in cells:
            answers[cell.variant.name].append(cell.read())
        by_variant = [(variant, answers[variant.name]) for variant in variants]
        rows = table_rows(
            release.rows, release.codebook, by_variant, resamples=RESAMPLES, seed=SEED_OF_RESAMPLES
        )
        n_items = len(examples_of(release, SplitPart.TEST))
        replace_file(out / "table.csv", table_csv(rows).encode())
        replace_file(out / "table.tex", table_latex(rows, n_items, n_seeds).encode())
    return rows


def shared_table(release: ReadRelease) -> SharedTable:
    by_part = {part: examples_of(release, part) for part in SplitPart}
    for part in (SplitPart.TRAIN, SplitPart.TEST):
        if not by_part[part]:
            raise NothingToLearn(part)
    questions = labelled_questions(model_questions(release.codebook), by_part[SplitPart.TRAIN])
    if not any(each.answer is AnswerKind.SENTENCES for each in questions):
        raise NoSentences
    return SharedTable(
        canonical_json(release.codebook),
        by_part[SplitPart.TRAIN],
        by_part[SplitPart.VALIDATION],
        by_part[SplitPart.TEST],
    )


def _payloads(left: Sequence[TableCell]) -> Iterator[Cell]:
    for number, cell in enumerate(left):
        request = CellRequest(cell.variant.learner, dict(cell.variant.options), cell.seed)
        yield Cell(number, msgspec.msgpack.encode(request))
