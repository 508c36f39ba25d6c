"""What a report says about each theme under the study's rule, the one sentence on top, and what a
reader has to know about gaps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.agreement.registry import Statistic, short_table_statistics, statistic_names, statistics
from annotation.agreement.reports import (
    BatchAgreement,
    CodeAgreement,
    CodeRetest,
    MeanAgreement,
    RetestAgreement,
)
from annotation.agreement.trust_rule import Decision, Rule, Verdict, verdict
from annotation.agreement.values import Estimate, RatingsAgreement
from backend.annotate.batches.models import Batch
from backend.core.studies.models import Study
from backend.decide.agreement.models import AgreementReport, ReportKind
from backend.decide.agreement.reading import read_report
from backend.decide.agreement.selectors import can_be_measured, latest_report, reports_of, rule_of
from backend.design.codebooks.selectors import codebook_of
from codebook.schema import Code, Codebook, Question

TONES = {Decision.TRUSTED: "good", Decision.ANOTHER_ROUND: "warn", Decision.UNDECIDABLE: "neutral"}
WORDS = {
    Decision.TRUSTED: "trusted",
    Decision.ANOTHER_ROUND: "another round",
    Decision.UNDECIDABLE: "cannot be told",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict as pages show it."""

    verdict: Verdict

    @property
    def words(self) -> str:
        return WORDS[self.verdict.decision]

    @property
    def is_trusted(self) -> bool:
        """Anything else has a reason that stands beside it: a kappa of 1.00 may still need another round."""
        return self.verdict.decision is Decision.TRUSTED

    @property
    def tone(self) -> str:
        return TONES[self.verdict.decision]


Cell = tuple[Statistic, Estimate]


def cells(measured: RatingsAgreement | MeanAgreement, columns: Iterable[Statistic]) -> list[Cell]:
    """What stands in a table's columns of statistics."""
    return [(column, measured[column.name]) for column in columns]


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """One theme between annotators."""

    question: Question
    code: Code
    agreement: CodeAgreement
    judged: Judged

    @property
    def cells(self) -> list[Cell]:
        """All statistics, in the order of columns."""
        return cells(self.agreement.ratings, statistics())

    @property
    def sentence_cells(self) -> list[Cell]:
        found = self.agreement.sentences
        return cells(found, short_table_statistics()) if found else []


@dataclass(frozen=True, slots=True)
class RetestRow:
    """One theme of annotators with themselves; kappa is Cohen's."""

    question: Question
    code: Code
    retest: CodeRetest


@dataclass(frozen=True, slots=True)
class Headline:
    """How many themes can be trusted, in a sentence."""

    report: AgreementReport
    trusted: int
    another_round: int
    undecidable: int

    @property
    def n_themes(self) -> int:
        return self.trusted + self.another_round + self.undecidable

    @property
    def words(self) -> str:
        """“9 of 13 themes can be trusted; 4 need another round.”"""
        verb = "need" if self.another_round != 1 else "needs"
        parts = [f"{self.trusted} of {self.n_themes} themes can be trusted"]
        if self.another_round:
            parts.append(f"{self.another_round} {verb} another round")
        if self.undecidable:
            parts.append(f"of {self.undecidable} it cannot be told")
        return "; ".join(parts) + "."

    @property
    def is_good(self) -> bool:
        return self.trusted == self.n_themes


def theme_rows(codebook: Codebook, agreement: BatchAgreement, rule: Rule) -> list[ThemeRow]:
    """In the order of the codebook."""
    by_code = {each.code_id: each for each in agreement.codes}
    return [
        ThemeRow(question, code, by_code[code.id], Judged(verdict(rule, by_code[code.id].ratings)))
        for question, code in codebook.coded_questions()
        if code.id in by_code
    ]


def retest_rows(codebook: Codebook, agreement: RetestAgreement) -> list[RetestRow]:
    by_code = {each.code_id: each for each in agreement.codes}
    return [
        RetestRow(question, code, by_code[code.id])
        for question, code in codebook.coded_questions()
        if code.id in by_code
    ]


def headline_of(report: AgreementReport, rule: Rule) -> Headline | None:
    """None for a recheck: the rule is about what annotators have in common."""
    agreement = read_report(report)
    if isinstance(agreement, RetestAgreement):
        return None
    return headline(report, theme_rows(codebook_of(report.edition), agreement, rule))


def headline(report: AgreementReport, rows: list[ThemeRow]) -> Headline:
    counted = Counter(row.judged.verdict.decision for row in rows)
    return Headline(
        report, counted[Decision.TRUSTED], counted[Decision.ANOTHER_ROUND], counted[Decision.UNDECIDABLE]
    )


def batch_page_context(batch: Batch) -> dict[str, object]:
    return {"can_be_measured": can_be_measured(batch), "agreement": latest_headline(batch)}


def latest_headline(batch: Batch) -> Headline | None:
    report = latest_report(batch)
    return headline_of(report, rule_of(batch.study)) if report else None


def study_headline(study: Study) -> Headline | None:
    """Of the newest report between annotators."""
    report = reports_of(study).filter(kind=ReportKind.AGREEMENT).first()
    return headline_of(report, rule_of(study)) if report else None


@dataclass(frozen=True, slots=True)
class Note:
    """About gaps. `themes` are named only where the note is not about all of them."""

    words: str
    themes: tuple[str, ...]


def notes_of(rows: Sequence[ThemeRow]) -> list[Note]:
    """In the order of the codebook; many measures share one note."""
    themes: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        for name in statistic_names():
            words = row.agreement.ratings[name].note
            if words:
                themes[words][row.code.name] = None
    return [Note(words, () if len(names) == len(rows) else tuple(names)) for words, names in themes.items()]
