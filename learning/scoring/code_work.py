"""All measures of one code, on the items as they are and on their resamples."""

from dataclasses import dataclass

from annotation.agreement.bootstrap import Units, Values
from annotation.agreement.notes import estimate, join_notes
from codebook.schema import AnswerKind
from learning.scoring.answer_scores import AnswerScores
from learning.scoring.average_precision import AveragePrecision
from learning.scoring.brier import Brier
from learning.scoring.calibration import CalibrationError
from learning.scoring.cases import CodeCases, Gold
from learning.scoring.cross_entropy import CrossEntropy
from learning.scoring.distributions import has_shares
from learning.scoring.evidence_scores import EvidenceScores
from learning.scoring.family import Basis, Family, FamilyJob
from learning.scoring.gold_alpha import GoldAlpha
from learning.scoring.manhattan_distance import ManhattanDistance
from learning.scoring.sentence_scores import SentenceScores
from learning.scoring.values import CodeScores, Metric, ScoreEstimate

Sampled = dict[Metric, Values]


def families_of(cases: CodeCases) -> tuple[Family, ...]:
    """What there is to measure follows from how the code is answered."""
    code = cases.code
    found: list[Family] = [AnswerScores(cases)]
    if code.answer is AnswerKind.SCALE:
        found.append(GoldAlpha(cases))
    if cases.can_be_absent:
        found += [AveragePrecision(cases), CalibrationError(cases), Brier(cases)]
    if has_shares(cases):
        found += [CrossEntropy(cases), ManhattanDistance(cases)]
    if code.answer is AnswerKind.SENTENCES:
        found.append(SentenceScores(cases))
    if code.takes_evidence:
        found.append(EvidenceScores(cases))
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class CodeWork:
    cases: CodeCases
    families: tuple[Family, ...]
    jobs: tuple[FamilyJob, ...]

    def sampled(self, arrays: list[tuple[Values, ...]]) -> Sampled:
        """What the jobs measured, by name; the items as they are come first, their resamples after them."""
        return {
            metric: values
            for family, found in zip(self.families, arrays, strict=True)
            for metric, values in zip(family.metrics, found, strict=True)
        }

    def scores(self, sampled: Sampled, gold: Gold) -> CodeScores:
        cases, can_be_absent = self.cases, self.cases.can_be_absent
        return CodeScores(
            code_id=cases.code.code_id,
            part=cases.code.part,
            answer=cases.code.answer,
            n_items=len(cases.rows),
            n_unpredicted=cases.n_unpredicted,
            n_found=int(cases.gold_finds.sum()) if can_be_absent else None,
            n_found_predicted=int(cases.model_finds.sum()) if can_be_absent else None,
            scores={
                metric: self._estimate(values, self.basis(metric), gold) for metric, values in sampled.items()
            },
        )

    def _estimate(self, values: Values, basis: Basis, gold: Gold) -> ScoreEstimate:
        note = join_notes(basis.note, unpredicted_note(self.cases))
        n_posts = gold.n_posts_of(basis.rows)
        return score_estimate(values, n=basis.n, n_posts=n_posts, note=note, reason=basis.reason)

    def basis(self, metric: Metric) -> Basis:
        return next(family for family in self.families if metric in family.metrics).basis(metric)


def code_work(cases: CodeCases, units: Units) -> CodeWork:
    families = families_of(cases)
    return CodeWork(cases, families, tuple(FamilyJob(family, units) for family in families))


def score_estimate(values: Values, *, n: int, n_posts: int, note: str, reason: str) -> ScoreEstimate:
    """`values` has the score and then its resamples; gold and model are like two raters."""
    found = estimate(values, n_items=n, n_raters=2, n_units=n_posts, note=note, reason=reason)
    return ScoreEstimate(found.value, found.low, found.high, found.n_items, found.note)


def unpredicted_note(cases: CodeCases) -> str:
    if not cases.n_unpredicted:
        return ""
    total = cases.n_unpredicted + len(cases.rows)
    return f"{cases.n_unpredicted:,} of {total:,} labelled items have no prediction and are left out."
