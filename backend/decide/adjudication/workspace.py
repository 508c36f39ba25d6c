"""What a researcher has before them on the page of one item: the sides, the sitting, and the form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from annotation.compare_answers import OneSide
from backend.core.accounts.models import User
from backend.decide.adjudication.candidate_answers import Offers, offers_on
from backend.decide.adjudication.current_decision import Standing, Step
from backend.decide.adjudication.forms import DecisionForm, initial_of
from backend.decide.adjudication.models import AdjudicationPlan, Decision, Sitting
from backend.decide.adjudication.page import (
    Column,
    Row,
    Text,
    annotators_columns,
    prefilled,
    rows_of,
    texts_of,
)
from backend.decide.adjudication.rounds import side_of
from backend.decide.adjudication.selectors import decided_answers, plan_of, standing_for
from backend.decide.adjudication.summaries import differing_evidence
from backend.design.codebooks.models import Edition
from backend.design.samples.models import Item


@dataclass(frozen=True, slots=True)
class Desk:
    """`earlier` are the decisions that a reconciling researcher weighs; `sitting` is None if it is not their turn."""

    item: Item
    user: User
    edition: Edition
    plan: AdjudicationPlan
    offers: Offers
    standing: Standing
    sitting: Sitting | None
    earlier: tuple[Decision, ...]
    own: Decision | None

    @property
    def expected_number(self) -> int:
        return self.standing.number_of(self.sitting) if self.sitting else 0

    @property
    def compared(self) -> list[OneSide]:
        """The sides whose differences are to be settled: two decisions, or else the annotators' answers."""
        if len(self.earlier) > 1:
            return [side_of(decided_answers(decision)) for decision in self.earlier]
        return self.offers.answered

    @property
    def words_differ(self) -> tuple[str, ...]:
        """Codes that the compared sides found, and for which they point to other words."""
        return differing_evidence(
            self.offers.codebook, self.offers.text, self.compared, self.plan.evidence_threshold
        )

    def columns(self, theirs: Decision | None = None) -> list[Column]:
        """Annotators first, then the decisions that may be seen, and last one that came in between."""
        columns = annotators_columns(self.offers)
        is_new = theirs is not None and theirs.answers is not None and theirs not in self.earlier
        for decision in [*self.earlier, *([theirs] if theirs and is_new else [])]:
            note = "now" if is_new and decision is theirs else Sitting(decision.sitting).name.lower()
            # Only of two that are reconciled can one be accepted as it is
            author = decision.author_id if decision in self.earlier else None
            side = side_of(decided_answers(decision))
            columns.append(Column(len(columns) + 1, str(decision.author), note, side, False, author))
        return columns

    @property
    def takeable(self) -> dict[int, User]:
        """Whose answer can be accepted as it is."""
        people = [offer.annotator for offer in self.offers.sides]
        return {user.pk: user for user in [*people, *(decision.author for decision in self.earlier)]}

    def form(self, posted: QueryDict | None = None) -> DecisionForm:
        codebook, text = self.offers.codebook, self.offers.text
        if posted is not None:
            return DecisionForm(posted, codebook=codebook, item=text)
        source = self.compared[0] if len(self.earlier) > 1 else self.offers.majority.side
        codes = [code.id for _, code in codebook.coded_questions()]
        if self.own:
            shown = side_of(decided_answers(self.own))
        else:
            shown = prefilled(codes, self.compared, source, self.words_differ)
        initial = initial_of(shown, text) | {"reason": self.own.reason if self.own else ""}
        return DecisionForm(initial=initial, codebook=codebook, item=text)

    def rows(self, form: DecisionForm, columns: Sequence[Column]) -> list[Row]:
        is_prefilled = self.own is None and not form.is_bound
        return rows_of(
            form, self.offers, columns, self.compared, self.words_differ, is_prefilled=is_prefilled
        )

    def texts(self, form: DecisionForm, columns: Sequence[Column]) -> list[Text]:
        return texts_of(self.offers, columns, form)


def desk_for(item: Item, user: User, edition: Edition) -> Desk:
    plan = plan_of(item.study)
    standing = standing_for(item, plan=plan)
    sitting = standing.sitting_for(user.pk)
    steps: list[Step | None] = []
    if sitting is Sitting.RECONCILING:
        steps = [standing.first, standing.second]
    own = standing.in_force(sitting) if sitting else None
    wanted = [step.pk for step in [*steps, own] if step]
    found = Decision.objects.select_related("author").in_bulk(wanted)
    return Desk(
        item=item,
        user=user,
        edition=edition,
        plan=plan,
        offers=offers_on(item, edition),
        standing=standing,
        sitting=sitting,
        earlier=tuple(found[step.pk] for step in steps if step),
        own=found[own.pk] if own else None,
    )
