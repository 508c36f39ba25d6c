"""What a researcher has before them on the page of one item: the sides, the round, and the form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from annotation.compare_answers import OneSide
from backend.core.accounts.models import User
from backend.decide.adjudication.candidate_answers import CandidateAnswers, offers_on
from backend.decide.adjudication.current_decision import CurrentDecision, Step
from backend.decide.adjudication.forms import DecisionForm, initial_of
from backend.decide.adjudication.models import AdjudicationPlan, Decision, DecisionRound
from backend.decide.adjudication.page import (
    Column,
    Row,
    Text,
    annotators_columns,
    prefill,
    rows_of,
    texts_of,
)
from backend.decide.adjudication.rounds import side_of
from backend.decide.adjudication.selectors import current_decision_for, decided_answers, plan_of
from backend.decide.adjudication.summaries import differing_evidence
from backend.design.codebooks.models import Edition
from backend.design.samples.models import Item


@dataclass(frozen=True, slots=True)
class Workspace:
    """`earlier` are the decisions that a reconciling researcher weighs; `decision_round` is None if it is
    not their turn."""

    item: Item
    user: User
    edition: Edition
    plan: AdjudicationPlan
    candidates: CandidateAnswers
    standing: CurrentDecision
    decision_round: DecisionRound | None
    earlier: tuple[Decision, ...]
    own: Decision | None

    @property
    def expected_number(self) -> int:
        return self.standing.number_of(self.decision_round) if self.decision_round else 0

    @property
    def compared(self) -> list[OneSide]:
        """The sides whose differences are to be settled: two decisions, or else the annotators' answers."""
        if len(self.earlier) > 1:
            return [side_of(decided_answers(decision)) for decision in self.earlier]
        return self.candidates.answered

    @property
    def words_differ(self) -> tuple[str, ...]:
        """Codes that the compared sides found, and for which they point to other words."""
        return differing_evidence(
            self.candidates.codebook, self.candidates.text, self.compared, self.plan.evidence_threshold
        )

    def columns(self, theirs: Decision | None = None) -> list[Column]:
        """Annotators first, then the decisions that may be seen, and last one that came in between."""
        columns = annotators_columns(self.candidates)
        is_new = theirs is not None and theirs.answers is not None and theirs not in self.earlier
        for decision in [*self.earlier, *([theirs] if theirs and is_new else [])]:
            note = (
                "now"
                if is_new and decision is theirs
                else DecisionRound(decision.decision_round).name.lower()
            )
            # Only of two that are reconciled can one be accepted as it is
            author = decision.author_id if decision in self.earlier else None
            side = side_of(decided_answers(decision))
            columns.append(Column(len(columns) + 1, str(decision.author), note, side, False, author))
        return columns

    @property
    def takeable(self) -> dict[int, User]:
        """Whose answer can be accepted as it is."""
        people = [offer.annotator for offer in self.candidates.sides]
        return {user.pk: user for user in [*people, *(decision.author for decision in self.earlier)]}

    def form(self, posted: QueryDict | None = None) -> DecisionForm:
        codebook, text = self.candidates.codebook, self.candidates.text
        if posted is not None:
            return DecisionForm(posted, codebook=codebook, item=text)
        source = self.compared[0] if len(self.earlier) > 1 else self.candidates.majority.side
        codes = [code.id for _, code in codebook.coded_questions()]
        if self.own:
            shown = side_of(decided_answers(self.own))
        else:
            shown = prefill(codes, self.compared, source, self.words_differ)
        initial = initial_of(shown, text) | {"reason": self.own.reason if self.own else ""}
        return DecisionForm(initial=initial, codebook=codebook, item=text)

    def rows(self, form: DecisionForm, columns: Sequence[Column]) -> list[Row]:
        is_prefilled = self.own is None and not form.is_bound
        return rows_of(
            form, self.candidates, columns, self.compared, self.words_differ, is_prefilled=is_prefilled
        )

    def texts(self, form: DecisionForm, columns: Sequence[Column]) -> list[Text]:
        return texts_of(self.candidates, columns, form)


def workspace_for(item: Item, user: User, edition: Edition) -> Workspace:
    plan = plan_of(item.study)
    standing = current_decision_for(item, plan=plan)
    decision_round = standing.round_for(user.pk)
    steps: list[Step | None] = []
    if decision_round is DecisionRound.RECONCILING:
        steps = [standing.first, standing.second]
    own = standing.in_force(decision_round) if decision_round else None
    wanted = [step.pk for step in [*steps, own] if step]
    found = Decision.objects.select_related("author").in_bulk(wanted)
    return Workspace(
        item=item,
        user=user,
        edition=edition,
        plan=plan,
        candidates=offers_on(item, edition),
        standing=standing,
        decision_round=decision_round,
        earlier=tuple(found[step.pk] for step in steps if step),
        own=found[own.pk] if own else None,
    )
