"""The smallest set of seeds that keeps the score: the same learner with fewer and fewer of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from annotation.release.read import ReadRelease
from annotation.release.rows import SplitPart
from codebook.questions import model_questions
from learning.scoring.evaluate import evaluate
from learning.scoring.values import Evaluation, Metric
from ml_backend.examples import NothingToLearn, examples_of, labelled_questions
from ml_backend.learners.interface import Report
from ml_backend.micromodels.config import MicromodelsConfig
from ml_backend.micromodels.learner import MicromodelsLearner
from ml_backend.micromodels.reading import remembering_sentences

ALL = 0
MEASURED = (SplitPart.VALIDATION, SplitPart.TEST)


@dataclass(frozen=True, slots=True)
class SizeScores:
    """With at most so many seeds of a code, or ALL; `scores` by part, `seeds` by code."""

    size: int
    seeds: dict[str, tuple[str, ...]]
    scores: dict[SplitPart, Evaluation]

    def score(self, part: SplitPart, code: str) -> float | None:
        """The main one."""
        found = self.scores[part].code(code) if part in self.scores else None
        return found.headline.value if found else None

    def evidence(self, part: SplitPart, code: str) -> float | None:
        found = self.scores[part].code(code) if part in self.scores else None
        score = found.scores.get(Metric.TOKEN_F1_POSITIVES) if found else None
        return score.value if score else None


def score_sizes(
    release: ReadRelease, config: MicromodelsConfig, sizes: Sequence[int], *, seed: int, report: Report
) -> list[SizeScores]:
    """From few to all; nothing is read twice."""
    with remembering_sentences():
        return [_score(release, config, size, seed, report) for size in (*sorted(set(sizes)), ALL)]


def _score(
    release: ReadRelease, config: MicromodelsConfig, size: int, seed: int, report: Report
) -> SizeScores:
    report(f"With {size or 'all'} seeds of a code")
    train, dev = (examples_of(release, part) for part in (SplitPart.TRAIN, SplitPart.VALIDATION))
    if not train or not dev:
        raise NothingToLearn(SplitPart.VALIDATION if train else SplitPart.TRAIN)
    questions = labelled_questions(model_questions(release.codebook), train)
    learner = MicromodelsLearner(questions, msgspec.structs.replace(config, seeds_per_code=size))
    learner.fit(train, dev, seed=seed, report=report)
    scores = {
        part: evaluate(
            release.rows,
            learner.predict(examples, adapter_id="", report=report),
            release.codebook,
            part_of_split=part,
            resamples=0,
            seed=seed,
        )
        for part in MEASURED
        if (examples := examples_of(release, part))
    }
    return SizeScores(size, learner.seeds(), scores)


def smallest(found: Sequence[SizeScores], code: str, margin: float) -> SizeScores:
    """The first whose score on the validation part is at most so far below that of all seeds."""
    wanted = (found[-1].score(SplitPart.VALIDATION, code) or 0.0) - margin
    return next(each for each in found if (each.score(SplitPart.VALIDATION, code) or 0.0) >= wanted - 1e-12)


def size_lines(found: Sequence[SizeScores], margin: float) -> Iterator[str]:
    """For a terminal: what each size has, and for each code the smallest that keeps the score, with its seeds."""
    for code in found[-1].seeds:
        yield code
        for each in found:
            n = len(each.seeds[code])
            cells = [
                f"{part.value} {_points(each.score(part, code))}, evidence {_points(each.evidence(part, code))}"
                for part in MEASURED
                if part in each.scores
            ]
            yield f"  {n:6,} seeds  {'; '.join(cells)}"
        kept = smallest(found, code, margin)
        yield f"  {len(kept.seeds[code]):,} keep the score on the validation part, within {100 * margin:.1f} points:"
        yield from (f"    {' '.join(text.split())}" for text in kept.seeds[code])


def _points(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def sizes_csv(found: Sequence[SizeScores]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["code", "seeds", "part", "score", "evidence_token_f1"])
    for code in found[-1].seeds:
        for each in found:
            for part in each.scores:
                scores = (each.score(part, code), each.evidence(part, code))
                cells = ("" if value is None else f"{value:.6f}" for value in scores)
                writer.writerow([code, len(each.seeds[code]), part.value, *cells])
    return out.getvalue()
