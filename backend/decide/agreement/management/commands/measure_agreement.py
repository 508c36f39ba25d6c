"""Has a batch measured from the terminal, and prints what came out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotation.agreement.reports import RetestAgreement
from annotation.agreement.values import Estimate
from backend.annotate.batches.models import Batch
from backend.core.jobs.models import Job
from backend.core.jobs.terminal import await_job
from backend.decide.agreement.errors import AgreementError
from backend.decide.agreement.exports import CONTENT_TYPES, export_report
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.queue import RESAMPLES, SEED
from backend.decide.agreement.reading import read_report
from backend.decide.agreement.selectors import latest_report, rule_of
from backend.decide.agreement.services import Precision, request_measurement
from backend.decide.agreement.verdicts import headline, retest_rows, theme_rows
from backend.design.codebooks.selectors import codebook_of


class Command(BaseCommand):
    help = "Measure agreement in a batch, or test–retest in a recheck, and print the report."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("batch", help="The batch's name.")
        parser.add_argument("--format", choices=["text", *CONTENT_TYPES], default="text")
        parser.add_argument("--resamples", type=int, default=RESAMPLES, help="For the intervals.")
        parser.add_argument("--seed", type=int, default=SEED)
        parser.add_argument("--wait", type=float, default=60, help="Seconds to wait; 0: only ask for it.")
        parser.add_argument("--latest", action="store_true", help="Print the newest report; measure nothing.")

    def handle(self, *args: Any, **options: Any) -> None:
        batch = _batch(options["study"], options["batch"])
        if options["latest"]:
            report = latest_report(batch)
            if report is None:
                raise CommandError(f"“{batch.name}” was not measured yet: leave --latest out.")
        else:
            job = _ask(batch, Precision(options["resamples"], options["seed"]))
            if not options["wait"]:
                self.stdout.write(f"Job {job.pk} measures “{batch.name}”.")
                return
            report = _report_of(await_job(job, options["wait"], later="print the report with --latest"))
        form = options["format"]
        self.stdout.write(_text(report) if form == "text" else export_report(report, form), ending="")


def _batch(slug: str, name: str) -> Batch:
    batches = Batch.objects.filter(study__slug=slug).select_related("edition", "study")
    batch = batches.filter(name=name).first()
    if batch is None:
        names = ", ".join(repr(each.name) for each in batches) or "none"
        raise CommandError(f"Study {slug!r} has no batch {name!r}. It has: {names}.")
    return batch


def _ask(batch: Batch, precision: Precision) -> Job:
    try:
        return request_measurement(batch=batch, actor=None, now=timezone.now(), precision=precision)
    except AgreementError as problem:
        raise CommandError(str(problem)) from problem


def _report_of(result: Mapping[str, Any]) -> AgreementReport:
    """Raises CommandError where there was nothing to measure, and the job says so."""
    if "report" not in result:
        raise CommandError(str(result.get("summary") or "The job left no report."))
    return AgreementReport.objects.select_related("study", "edition", "batch").get(pk=result["report"])


def _text(report: AgreementReport) -> str:
    agreement, codebook = read_report(report), codebook_of(report.edition)
    partial = " Partial: somebody still has items to judge." if report.is_partial else ""
    if isinstance(agreement, RetestAgreement):
        rows = [(row.code.name, row.retest.pooled.kappa, "") for row in retest_rows(codebook, agreement)]
        lines = [f"Cohen's kappa of first and second answers to {agreement.n_items} items.{partial}"]
    else:
        rule = rule_of(report.study)
        themes = theme_rows(codebook, agreement, rule)
        rows = [(row.code.name, row.agreement.ratings[rule.measure], row.judged.words) for row in themes]
        lines = [f"{headline(report, themes).words} A theme is trusted if {rule}.{partial}"]
    check = None if isinstance(agreement, RetestAgreement) else agreement.alpha_check
    width = max(len(name) for name, _, _ in rows)
    lines += [f"{name:<{width}}  {_describe(found):<22}{words}".rstrip() for name, found, words in rows]
    lines += [f"Krippendorff's alpha: {check.says}."] if check else []
    return "\n".join(lines) + "\n"


def _describe(found: Estimate) -> str:
    if found.value is None:
        return "undefined"
    interval = "" if found.low is None or found.high is None else f" [{found.low:.2f}, {found.high:.2f}]"
    return f"{found.value:.2f}{interval}"
