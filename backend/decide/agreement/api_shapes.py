"""What calls about agreement take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from ninja import Field, Schema
from pydantic import AfterValidator

from annotation.agreement.registry import rule_statistics
from annotation.agreement.reports import BatchAgreement
from annotation.agreement.trust_rule import Bound, Decision, Rule
from annotation.agreement.values import Estimate
from backend.core.accounts.models import User
from backend.decide.agreement.exports import shown_measures
from backend.decide.agreement.models import AgreementReport, ReportKind
from backend.decide.agreement.queue import RESAMPLES, SEED
from backend.decide.agreement.reading import read_report
from backend.decide.agreement.rounds import Rounds
from backend.decide.agreement.selectors import left_out_words
from backend.decide.agreement.verdicts import ThemeRow, headline, theme_rows
from backend.design.codebooks.selectors import codebook_of


def _check_name(name: str) -> str:
    if name not in (names := [each.name for each in rule_statistics()]):
        raise ValueError(f"Say one of {', '.join(names)}.")
    return name


def _say_names(schema: dict[str, Any]) -> None:
    schema["enum"] = [each.name for each in rule_statistics()]


# The names are asked for when they are needed: whoever starts the server need not wait for NumPy.
RuleStatistic = Annotated[str, AfterValidator(_check_name), Field(json_schema_extra=_say_names)]


class RuleShape(Schema):
    """A theme is trusted if this number of this measure is at least so high."""

    measure: RuleStatistic
    bound: Bound = Field(description="“low”: the lower bound of the 95% interval.")
    at_least: float = Field(ge=-1, le=1)

    @classmethod
    def of(cls, rule: Rule) -> RuleShape:
        return cls(measure=rule.measure, bound=rule.bound, at_least=rule.at_least)

    def rule(self) -> Rule:
        return Rule(self.measure, self.bound, self.at_least)


class MeasureIn(Schema):
    resamples: int = Field(RESAMPLES, ge=100, le=20_000, description="Of posts, for the intervals.")
    seed: int = Field(SEED, ge=0, le=2**53)


class VerdictOut(Schema):
    code: str
    decision: Decision
    reason: str

    @classmethod
    def of(cls, row: ThemeRow) -> VerdictOut:
        found = row.judged.verdict
        return cls(code=row.code.id, decision=found.decision, reason=found.reason)


class AgreementReportOut(Schema):
    id: int
    batch: int
    batch_name: str
    kind: ReportKind
    edition: int
    inputs_hash: str = Field(description="The sha256 of the answers it was measured on.")
    resamples: int
    seed: int
    method: int = Field(
        description="Version of the formulas; the same answers have a new report when it rises."
    )
    is_partial: bool
    requested_by: str | None = Field(description="Log-in name; none if it was measured by itself.")
    measured_at: datetime

    @staticmethod
    def facts(report: AgreementReport) -> dict[str, Any]:
        return {
            "id": report.pk,
            "batch": report.batch_id,
            "batch_name": report.batch.name,
            "kind": report.kind,
            "edition": report.edition.number,
            "inputs_hash": report.inputs_hash,
            "resamples": report.resamples,
            "seed": report.seed,
            "method": report.method,
            "is_partial": report.is_partial,
            "requested_by": report.requested_by.username if report.requested_by else None,
            "measured_at": report.measured_at,
        }

    @classmethod
    def of(cls, report: AgreementReport) -> AgreementReportOut:
        return cls(**cls.facts(report))


class WholeAgreementReportOut(AgreementReportOut):
    left_out: str = Field(description="What of an adaptive overlap it is not measured on; empty for others.")
    headline: str = Field(description="Under the study's present rule; empty for a recheck.")
    verdicts: list[VerdictOut]
    measures: Any = Field(description="Every number, with its interval and note.")

    @classmethod
    def whole(cls, report: AgreementReport, rule: Rule, viewer: User) -> WholeAgreementReportOut:
        agreement = read_report(report)
        rows = []
        if isinstance(agreement, BatchAgreement):
            rows = theme_rows(codebook_of(report.edition), agreement, rule)
        return cls(
            **cls.facts(report),
            left_out=left_out_words(report.batch),
            headline=headline(report, rows).words if rows else "",
            verdicts=[VerdictOut.of(row) for row in rows],
            measures=shown_measures(report, viewer),
        )


class EstimateOut(Schema):
    value: float | None
    low: float | None
    high: float | None
    note: str

    @classmethod
    def of(cls, estimate: Estimate) -> EstimateOut:
        return cls(value=estimate.value, low=estimate.low, high=estimate.high, note=estimate.note)


class RoundOut(Schema):
    code: str
    estimates: list[EstimateOut | None] = Field(description="In the order of `reports`.")
    moved: EstimateOut | None


class RoundsOut(Schema):
    reports: list[int]
    themes: list[RoundOut]

    @classmethod
    def of(cls, rounds: Rounds) -> RoundsOut:
        return cls(
            reports=[report.pk for report in rounds.reports],
            themes=[
                RoundOut(
                    code=row.code.id,
                    estimates=[EstimateOut.of(cell.estimate) if cell else None for cell in row.cells],
                    moved=EstimateOut.of(row.moved) if row.moved else None,
                )
                for row in rounds.rows
            ],
        )


class ComparedItemOut(Schema):
    item: str
    answers: dict[str, str] = Field(description="By log-in name, in the codebook's words, as first answered.")
