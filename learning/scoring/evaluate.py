"""Measures predictions on a release: every code, the means over codes, and what could not be measured."""

from collections.abc import Iterable, Sequence

from annotation.agreement.bootstrap import Job, resample
from annotation.agreement.inputs import judged_codes
from annotation.release.rows import ReleaseRow, SplitPart
from codebook.schema import Codebook
from learning.predictions.rows import ItemPrediction
from learning.scoring.cases import Gold, by_item, code_cases, gold_of
from learning.scoring.code_work import CodeWork, Sampled, code_work
from learning.scoring.means import mean_scores, parts_of
from learning.scoring.values import Evaluation


def evaluate(
    release_rows: Iterable[ReleaseRow],
    predictions: Sequence[ItemPrediction],
    codebook: Codebook,
    *,
    part_of_split: SplitPart | None,
    resamples: int = 1000,
    seed: int,
) -> Evaluation:
    """Posts are resampled with all their items; the order of rows and predictions does not matter to any value.

    Raises NotMeasurable if there is no item in the part, or if answers are unknown to the codebook.
    """
    gold = gold_of(release_rows, part_of_split)
    predicted = by_item(predictions)
    works = works_of(gold, predicted, codebook)
    sampled = resampled_scores(gold, works, resamples=resamples, seed=seed)
    codes = tuple(work.scores(own, gold) for work, own in zip(works, sampled, strict=True))
    measured = [predicted[row.item.item_id] for row in gold.rows if row.item.item_id in predicted]
    return Evaluation(
        split=part_of_split,
        adapters=tuple(sorted({prediction.adapter_id for prediction in measured})),
        gold_hash=gold.hash(),
        n_items=len(gold.rows),
        n_posts=gold.n_clusters,
        n_unpredicted=len(gold.rows) - len(measured),
        n_foreign=len(predicted) - len(measured),
        n_truncated=sum(prediction.n_truncated > 0 for prediction in measured),
        codes=codes,
        means=tuple(
            mean_scores(part, [codes[at] for at in own], [sampled[at] for at in own], n_posts=gold.n_clusters)
            for part, own in parts_of(codes)
        ),
        resamples=resamples,
        seed=seed,
        n_suggested=gold.n_suggested,
    )


def works_of(gold: Gold, predicted: dict[str, ItemPrediction], codebook: Codebook) -> list[CodeWork]:
    units = gold.units()
    return [code_work(code_cases(gold, predicted, code), units) for code in judged_codes(codebook)]


def resampled_scores(gold: Gold, works: Sequence[CodeWork], *, resamples: int, seed: int) -> list[Sampled]:
    """For each work its measures; all of them see the same posts drawn."""
    jobs: list[Job] = [job for work in works for job in work.jobs]
    arrays = iter(resample(jobs, gold.units().counts, resamples=resamples, seed=seed))
    return [work.sampled([next(arrays) for _ in work.jobs]) for work in works]
