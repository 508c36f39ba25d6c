"""What others read about adjudication: what is decided for good, and what still waits for another look."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import QuerySet

from annotation.answers import Answers
from annotation.assignment import falls_within
from annotation.stored_answers import read_answers
from backend.core.studies.models import Study
from backend.decide.adjudication.current_decision import CurrentDecision, Step, current_decision_of
from backend.decide.adjudication.memory import Fingerprint, LruCache, fingerprint
from backend.decide.adjudication.models import AdjudicationPlan, Decision, DecisionRound, Suspicion
from backend.design.samples.models import Item

COLUMNS = (
    "pk",
    "item_id",
    "decision_round",
    "number",
    "way",
    "author_id",
    "made_at",
    "judgments_hash",
    "opened_at",
    "is_chosen",
    "differences",
)
CHUNK = 500


def plan_of(study: Study) -> AdjudicationPlan:
    """The defaults where nobody has set anything; not saved."""
    return AdjudicationPlan.objects.filter(study=study).first() or AdjudicationPlan(study=study)


def is_chosen_for_second(item_id: str, plan: AdjudicationPlan) -> bool:
    """Of an item that nobody has decided: from then on its decisions say so themselves."""
    share = plan.second_share
    return share > 0 and falls_within(item_id, share, plan.seed, "second-adjudication")


def final_decisions(study: Study) -> dict[int, Decision]:
    """By item: the decision that stands for good. One that waits for another round has none: see `awaiting`."""
    pks = [standing.final.pk for standing in standings(study).values() if standing.final]
    found: dict[int, Decision] = {}
    for start in range(0, len(pks), CHUNK):
        rows = Decision.objects.filter(pk__in=pks[start : start + CHUNK])
        found |= {row.item_id: row for row in rows.select_related("author", "edition", "accepted_from")}
    return found


def due_rounds(study: Study) -> dict[int, DecisionRound]:
    """By item: which round is due of those that were decided once already."""
    return {
        item: standing.due
        for item, standing in standings(study).items()
        if standing.due in (DecisionRound.SECOND, DecisionRound.RECONCILING)
    }


def open_suspicions(study: Study) -> QuerySet[Suspicion]:
    """Found by the last search for them and not dismissed."""
    return Suspicion.objects.filter(item__study=study, dismissed_at=None, gone_at=None)


def unanswered_suspicions(rows: QuerySet[Suspicion], study: Study) -> list[Suspicion]:
    """Without those that a final decision has answered."""
    known = standings(study)
    return [row for row in rows if row.item_id not in known or known[row.item_id].leaves_open(row.found_at)]


def decided_answers(decision: Decision) -> Answers:
    """Raises AnswersUnreadable for an undone decision, which has no answer."""
    return read_answers(decision.answers)


_memories: LruCache[tuple[int, float], tuple[Fingerprint, Mapping[int, CurrentDecision]]] = LruCache()


def standings(study: Study, *, plan: AdjudicationPlan | None = None) -> Mapping[int, CurrentDecision]:
    """By item, of all that have a decision, undone ones too; kept until there is another decision."""
    plan = plan or plan_of(study)
    rows = Decision.objects.filter(item__study=study)
    key, now = (study.pk, plan.evidence_threshold), fingerprint(rows)
    known = _memories.recall(key)
    if known is None or known[0] != now:
        known = now, _standings(rows, plan)
        _memories.keep(key, known)
    return known[1]


def standings_of(
    study: Study, plan: AdjudicationPlan, items: Collection[int] | None
) -> Mapping[int, CurrentDecision]:
    """The same of these items, or of all, read anew."""
    rows = Decision.objects.filter(item__study=study)
    return _standings(rows if items is None else rows.filter(item__in=items), plan)


def _standings(rows: QuerySet[Decision], plan: AdjudicationPlan) -> Mapping[int, CurrentDecision]:
    steps = defaultdict(list)
    for row in rows.order_by("item", "decision_round", "number").values_list(*COLUMNS):
        steps[row[1]].append(Step(*row))
    return {
        pk: current_decision_of(taken, is_chosen=False, threshold=plan.evidence_threshold)
        for pk, taken in steps.items()
    }


def current_decision_for(item: Item, *, plan: AdjudicationPlan | None = None) -> CurrentDecision:
    """The same of one item, which need not have a decision."""
    plan = plan or plan_of(item.study)
    rows = Decision.objects.filter(item=item).order_by("decision_round", "number").values_list(*COLUMNS)
    return current_decision_of(
        (Step(*row) for row in rows),
        is_chosen=is_chosen_for_second(item.item_id, plan),
        threshold=plan.evidence_threshold,
    )
