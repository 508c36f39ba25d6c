"""Measures a whole batch: every code, the means over codes, who agrees with whom, and what flags foretell."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.alpha_check import Measured, check_alphas
from annotation.agreement.bayesian_bootstrap import resample_posterior
from annotation.agreement.bootstrap import (
    DrawnUnits,
    Job,
    Units,
    Values,
    clusters_as_units,
    resampling_units,
)
from annotation.agreement.evidence_overlap import MarksJob, mark_agreement, marked_places
from annotation.agreement.flag_calibration import FlagsJob, flag_calibrations
from annotation.agreement.independent_units import IndependentUnits, independent_units
from annotation.agreement.means import mean_agreement, pair_means
from annotation.agreement.measure import RatingsJob, Resampled, agreement_of
from annotation.agreement.prevalence import found_share, prevalence_warning
from annotation.agreement.rating_patterns import GAP, Patterns, patterns_of
from annotation.agreement.registry import method_version
from annotation.agreement.reports import BatchAgreement, CodeAgreement, MeanAgreement
from annotation.agreement.tabulate import BatchTable, sentence_ratings, tabulate
from annotation.agreement.unseen_items import unseen_size
from annotation.agreement.values import (
    BatchJudgments,
    JudgedCode,
    MeasurementLevel,
    Ratings,
    RatingsAgreement,
)
from codebook.schema import AnswerKind, Part

LEVEL_OF_ANSWER = {
    AnswerKind.TICK: MeasurementLevel.NOMINAL,
    AnswerKind.SENTENCES: MeasurementLevel.NOMINAL,
    AnswerKind.LEVELS: MeasurementLevel.ORDINAL,
    AnswerKind.SCALE: MeasurementLevel.INTERVAL,
}


def measure_batch(judgments: BatchJudgments, *, resamples: int = 1000, seed: int) -> BatchAgreement:
    """All that is known about agreement in a batch; posts are resampled with all their items.

    The order of items, answers and raters in `judgments` does not matter to any value.
    """
    return measure_table(tabulate(judgments), resamples=resamples, seed=seed)


def measure_table(table: BatchTable, *, resamples: int, seed: int) -> BatchAgreement:
    """The same of judgments that are laid out already."""
    drawn = resampling_units(table.n_clusters, seed=seed)
    codes = [_CodeWork(table, drawn, at, code) for at, code in enumerate(table.judgments.codes)]
    flags = FlagsJob(table, _items_as_units(table, drawn))
    jobs: list[Job] = [job for code in codes for job in code.jobs]
    arrays = resample_posterior([*jobs, flags], drawn.counts, resamples=resamples, seed=seed)
    of_code = iter(arrays)
    measured = [(code, [next(of_code) for _ in code.jobs]) for code in codes]
    found = [Resampled.of(own[0]) for _, own in measured]
    by_code = tuple(code.agreement(own) for code, own in measured)
    return BatchAgreement(
        n_items=len(table.items),
        posts=tuple(sorted(set(table.cluster_names))),
        raters=table.raters,
        codes=by_code,
        means=_means(by_code, found),
        pairs=pair_means(table.raters, found, [code.behind for code in codes]) if found else (),
        flags=flag_calibrations(table, flags, arrays[-1]),
        resamples=resamples,
        seed=seed,
        method=method_version(),
        alpha_check=check_alphas(
            each for code, own in zip(codes, by_code, strict=True) for each in code.alphas(own)
        ),
    )


def _items_as_units(table: BatchTable, drawn: DrawnUnits) -> Units:
    """For tables with a row per item; what is drawn are posts."""
    return clusters_as_units(np.arange(len(table.items)), drawn.places[table.clusters], drawn.n)


def _means(codes: tuple[CodeAgreement, ...], found: list[Resampled]) -> tuple[MeanAgreement, ...]:
    """Over the codes of each part that has some, in the order of parts, and over all codes."""
    means = []
    for part in (*Part, None):
        chosen = [at for at, code in enumerate(codes) if part is None or code.part is part]
        if chosen:
            ratings = [codes[at].ratings for at in chosen]
            means.append(mean_agreement(part, [found[at] for at in chosen], ratings))
    return tuple(means)


@dataclass(frozen=True, slots=True, eq=False)
class _RatingsWork:
    """A table of ratings on the batch's posts, on its way to an agreement."""

    ratings: Ratings
    patterns: Patterns
    clusters: NDArray[np.int64]
    drawn: DrawnUnits

    def job(self, level: MeasurementLevel) -> RatingsJob:
        units = clusters_as_units(self.patterns.place, self.drawn.places[self.clusters], self.drawn.n)
        size = unseen_size(self.patterns, self.clusters)
        return RatingsJob(self.patterns, units, level, size=size)

    def agreement(self, arrays: tuple[Values, ...], noun: str) -> RatingsAgreement:
        return agreement_of(self.ratings, self.patterns, self.clusters, Resampled.of(arrays), noun)


class _CodeWork:
    """What is measured on one code: its values, then its marks, then its sentences, as far as it has them."""

    def __init__(self, table: BatchTable, drawn: DrawnUnits, at: int, code: JudgedCode) -> None:
        self._table, self._drawn, self._code = table, drawn, code
        self._level = LEVEL_OF_ANSWER[code.answer]
        self._values = self._work(table.ratings(at), table.clusters)
        self.jobs: list[Job] = [self._values.job(self._level)]
        self._marks: MarksJob | None = None
        self._sentences: _RatingsWork | None = None
        if code.takes_evidence or code.answer is AnswerKind.SENTENCES:
            self._marks = MarksJob(marked_places(table, at), _items_as_units(table, drawn), table)
            self.jobs.append(self._marks)
        if code.answer is AnswerKind.SENTENCES:
            ratings, items = sentence_ratings(table, code)
            self._sentences = self._work(ratings, table.clusters[items])
            self.jobs.append(self._sentences.job(MeasurementLevel.NOMINAL))

    def _work(self, ratings: Ratings, clusters: NDArray[np.int64]) -> _RatingsWork:
        return _RatingsWork(ratings, patterns_of(ratings), clusters, self._drawn)

    @property
    def behind(self) -> IndependentUnits:
        return independent_units(self._values.patterns, self._values.clusters)

    def alphas(self, found: CodeAgreement) -> Iterator[Measured]:
        """What another implementation has to agree with: the code's alpha, and that of its sentences."""
        name = "krippendorff_alpha"
        yield found.code_id, self._values.ratings, self._level, found.ratings[name].value
        if self._sentences and found.sentences:
            of_sentences = found.sentences[name].value
            yield (
                f"{found.code_id} by sentence",
                self._sentences.ratings,
                MeasurementLevel.NOMINAL,
                of_sentences,
            )

    def agreement(self, arrays: list[tuple[Values, ...]]) -> CodeAgreement:
        """`arrays` are what the jobs measured, in their order."""
        code, table = self._code, self._table
        ratings = self._values.agreement(arrays[0], "item")
        return CodeAgreement(
            code_id=code.code_id,
            part=code.part,
            answer=code.answer,
            level=self._level,
            ratings=ratings,
            marks=mark_agreement(table, code, self._marks, arrays[1]) if self._marks else None,
            sentences=self._sentences.agreement(arrays[2], "sentence") if self._sentences else None,
            found_share=found_share(code, ratings),
            prevalence_warning=prevalence_warning(code, ratings),
            disagreed=_disputed_items(table.items, self._values.patterns),
        )


def _disputed_items(items: tuple[str, ...], patterns: Patterns) -> tuple[str, ...]:
    """The items on which two raters gave different answers."""
    n_categories = len(patterns.categories)
    lowest = np.where(patterns.codes == GAP, n_categories, patterns.codes).min(axis=1, initial=n_categories)
    differ = lowest < patterns.codes.max(axis=1, initial=GAP)
    return tuple(map(items.__getitem__, np.flatnonzero(differ[patterns.place]).tolist()))
