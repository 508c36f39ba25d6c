"""Reads what annotators and adjudicators said about a study's items, and why some items have to stay out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from annotation.answers import Answers, Judgment
from annotation.compare_answers import OneSide
from annotation.release.judged_items import GivenAnswer, GivenDecision, JudgedItem
from annotation.release.rows import DecisionFact, DecisionWay, ReleaseItem, Texts
from backend.annotate.batches.models import AssignedItem, BatchState
from backend.annotate.discussions.selectors import unsettled_items
from backend.annotate.judgments.models import SubmissionState
from backend.annotate.practice.models import GoldAnswer
from backend.core.studies.models import Study
from backend.decide.adjudication.annotator_answers import LEFT_OUT, taken_answers, taking_part, with_content
from backend.decide.adjudication.models import Decision
from backend.decide.adjudication.selectors import decided_answers, due_rounds, final_decisions
from backend.decide.hooks import suggestions_in_view
from backend.decide.releases.draws import Facts, draw_facts
from backend.decide.releases.people import People
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text

CHUNK = 2000


@dataclass(frozen=True, slots=True)
class Gathered:
    """`left_out` counts items by reason, as `annotation.release.card_words` words them."""

    items: tuple[JudgedItem, ...]
    left_out: Counter[str]


def gather(study: Study, *, with_texts: bool) -> Gathered:
    """Items that were given out for anything but practice, with an answer or a decision that stands."""
    people = People(study)
    decisions = final_decisions(study)
    answers = _answers(study, people)
    kept_back = _kept_back(study)
    states = _states(study)
    left_out: Counter[str] = Counter()
    wanted = []
    for pk in sorted(states.keys() | decisions.keys()):
        reason = kept_back.get(pk)
        if reason is None and pk not in answers and pk not in decisions:
            reason = _without_answer(states[pk])
        if reason:
            left_out[reason] += 1
        else:
            wanted.append(pk)
    flagged = set(
        _assigned_items(study).filter(submission__is_flagged=True).values_list("item_id", flat=True)
    )
    suggested = {item: adapters for found in suggestions_in_view(study) for item, adapters in found.items()}
    items = []
    for item, draws in _with_draws(study, wanted):
        decision = decisions.get(item.pk)
        items.append(
            JudgedItem(
                _release_item(
                    item,
                    draws,
                    flagged=item.pk in flagged,
                    with_texts=with_texts,
                    suggested_by=suggested.get(item.pk, ()),
                ),
                item_text(item),
                tuple(answers.get(item.pk, ())),
                _given_decision(decision, people) if decision else None,
            )
        )
    return Gathered(tuple(items), left_out)


def _assigned_items(study: Study) -> QuerySet[AssignedItem]:
    """Practice is measured against gold, and a recheck against the annotator's own first answer: neither is a label."""
    given = AssignedItem.objects.filter(assignment__batch__study=study)
    return given.exclude(assignment__batch__kind__in=LEFT_OUT).exclude(
        assignment__batch__state=BatchState.DISCARDING
    )


def _kept_back(study: Study) -> dict[int, str]:
    """The weightier reason where there are several."""
    gold = GoldAnswer.objects.filter(item__study=study, replaced_at=None).values_list("item_id", flat=True)
    reasons = dict.fromkeys(due_rounds(study), "second-round")
    reasons |= dict.fromkeys(unsettled_items(study).values_list("pk", flat=True), "flag")
    return reasons | dict.fromkeys(gold, "gold")


def _states(study: Study) -> dict[int, set[str]]:
    """By item: what became of it in the shares it is in."""
    in_quarantine = AssignedItem.objects.filter(pk=OuterRef("pk"), quarantined__isnull=False)
    rows = (
        _assigned_items(study)
        .annotate(is_quarantined=Exists(in_quarantine))
        .values_list("item_id", "submission__state", "is_quarantined")
    )
    states: dict[int, set[str]] = defaultdict(set)
    for item, state, is_quarantined in rows:
        states[item].add(state or ("quarantined" if is_quarantined else "unanswered"))
    return states


def _without_answer(states: Iterable[str]) -> str:
    found = set(states)
    return next((reason for reason in ("quarantined", "unanswered") if reason in found), "skipped")


def _answers(study: Study, people: People) -> dict[int, list[GivenAnswer]]:
    """The same answers as adjudication listens to, one of each annotator."""
    submissions = taking_part(study).filter(state=SubmissionState.SUBMITTED)
    return {
        item: [
            GivenAnswer(people.pseudonym(one.annotator_id), one.taken.edition_hash, _answers_in(one.side))
            for one in given
        ]
        for item, given in with_content(taken_answers(submissions)).items()
    }


def _answers_in(side: OneSide) -> Answers:
    judgments = tuple(Judgment(code, value) for code, value in side.values.items())
    return Answers(judgments, side.spans, None)


def _given_decision(decision: Decision, people: People) -> GivenDecision:
    fact = DecisionFact(people.pseudonym(decision.author_id), DecisionWay(decision.way))
    return GivenDecision(decision.edition.hash, decided_answers(decision), fact)


def _with_draws(study: Study, pks: list[int]) -> Iterable[tuple[Item, Facts]]:
    for start in range(0, len(pks), CHUNK):
        wanted = pks[start : start + CHUNK]
        facts = draw_facts(wanted, _assigned_items(study))
        for item in Item.objects.filter(pk__in=wanted).order_by("pk"):
            yield item, facts[item.pk]


def _release_item(
    item: Item, draws: Facts, *, flagged: bool, with_texts: bool, suggested_by: tuple[str, ...]
) -> ReleaseItem:
    return ReleaseItem(
        item_id=item.item_id,
        platform=item.platform,
        community=item.community,
        post_id=item.post_id,
        reply_id=item.reply_id,
        flagged=flagged,
        draws=draws,
        texts=Texts(item.title, item.post_text, item.reply_text) if with_texts else None,
        suggested_by=suggested_by,
    )
