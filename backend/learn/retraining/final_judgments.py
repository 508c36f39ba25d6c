"""How many judgments of a study are final, so that a model could learn from them."""

from __future__ import annotations

from backend.annotate.batches.selectors import unfinished_work
from backend.annotate.discussions.selectors import unsettled_items
from backend.annotate.judgments.models import SubmissionState
from backend.annotate.practice.models import GoldAnswer
from backend.core.studies.models import Study
from backend.decide.adjudication.annotator_answers import LEFT_OUT, taking_part
from backend.decide.adjudication.selectors import due_rounds, plan_of, standings
from backend.decide.adjudication.summaries import summaries
from backend.design.codebooks.selectors import latest_edition


def count_final_judgments(study: Study) -> int:
    """Items that were adjudicated, or whose annotators are all done and do not differ in any code; without those
    that a flag, a second round or practice keeps out of every release. What there is to read is remembered, so that
    looking often is cheap."""
    edition = latest_edition(study)
    if edition is None:
        return 0
    plan = plan_of(study)
    decided = {pk for pk, standing in standings(study, plan=plan).items() if standing.final}
    found = summaries(study, edition, plan.evidence_threshold)
    disputed = {pk for pk, summary in found.items() if summary.disputed}
    final = decided | (_answered_items(study) - disputed - _unfinished_items(study))
    return len(final - _kept_back(study))


def _answered_items(study: Study) -> set[int]:
    submitted = taking_part(study).filter(state=SubmissionState.SUBMITTED)
    return set(submitted.values_list("assigned_item__item_id", flat=True))


def _unfinished_items(study: Study) -> set[int]:
    waiting = unfinished_work().filter(assignment__batch__study=study)
    return set(waiting.exclude(assignment__batch__kind__in=LEFT_OUT).values_list("item_id", flat=True))


def _kept_back(study: Study) -> set[int]:
    gold = GoldAnswer.objects.filter(item__study=study, replaced_at=None)
    return {
        *due_rounds(study),
        *unsettled_items(study).values_list("pk", flat=True),
        *gold.values_list("item_id", flat=True),
    }
