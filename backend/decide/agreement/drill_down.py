"""The items behind a number: where annotators differ on a theme, or somebody differs from before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.http import Http404
from django.urls import NoReverseMatch, reverse

from annotation.agreement.reports import BatchAgreement, RetestAgreement
from backend.annotate.batches.blindness import hidden_keys
from backend.annotate.batches.models import AssignedItem
from backend.annotate.judgments.first_answers import FirstAnswer, first_answers
from backend.core.accounts.models import User
from backend.decide.agreement.inputs import earlier_answers
from backend.decide.agreement.models import AgreementReport, ReportKind
from backend.decide.agreement.reading import read_report
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from codebook.schema import Code, Question


class What(StrEnum):
    """Which number the items are behind: that on answers, or that on the places of evidence."""

    ANSWERS = "answers"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class Said:
    """What one annotator first answered, in the codebook's words; `before` only in a recheck, `marked` only where
    the list is about evidence."""

    words: str
    finds_it: bool
    is_flagged: bool
    before: str = ""
    marked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemBehind:
    """One cell for each annotator, None where there is no sound answer. `settle_url` is empty where items cannot be
    adjudicated."""

    item: Item
    cells: tuple[Said | None, ...]
    settle_url: str


@dataclass(frozen=True, slots=True)
class Behind:
    """A theme of a report with its raters; `item_ids` are all items behind the number. `pair` are the two annotators
    that the list was narrowed to, if any."""

    report: AgreementReport
    question: Question
    code: Code
    raters: tuple[str, ...]
    item_ids: tuple[str, ...]
    what: What = What.ANSWERS
    pair: tuple[str, ...] = ()

    def between(self, pair: tuple[str, ...]) -> Behind:
        """Only the items on which these two gave different answers."""
        if len(set(pair)) != 2 or not set(pair) <= set(self.raters) or self.what is not What.ANSWERS:
            raise Http404("This report has no such two annotators.")
        items = self.report.study.items.filter(item_id__in=self.item_ids)
        said = self._answers_by_item(list(items))
        differ = [key for key in self.item_ids if _differ(*(said[key].get(rater) for rater in pair))]
        return replace(self, raters=pair, pair=pair, item_ids=tuple(differ))

    def rows(self, item_ids: Sequence[str]) -> list[ItemBehind]:
        """These items, with what each annotator said first."""
        items = {item.item_id: item for item in self.report.study.items.filter(item_id__in=item_ids)}
        said = self._answers_by_item([items[key] for key in item_ids if key in items])
        return [
            ItemBehind(
                items[key],
                tuple(said[key].get(rater) for rater in self.raters),
                _settle_url(self.report.study.slug, key),
            )
            for key in item_ids
            if key in items
        ]

    def _answers_by_item(self, items: Sequence[Item]) -> dict[str, dict[str, Said]]:
        codebook = codebook_of(self.report.edition)
        places = AssignedItem.objects.filter(
            assignment__batch=self.report.batch, item__in=items, is_extra=False
        )
        found = first_answers(places.select_related("item", "assignment__annotator"), codebook)
        before = {}
        if self.report.kind == ReportKind.RETEST:
            earlier = earlier_answers(self.report.batch, codebook, found)
            before = {(_key(first)): self._value(first) for first in earlier}
        said: dict[str, dict[str, Said]] = defaultdict(dict)
        for first in found:
            value = self._value(first)
            if value is not None:
                item_id, rater = _key(first)
                said[item_id][rater] = self._in_words(first, value, before.get((item_id, rater)))
        return said

    def _value(self, first: FirstAnswer) -> int | None:
        values = {judgment.code_id: judgment.value for judgment in first.answers.judgments}
        return values.get(self.code.id)

    def _in_words(self, first: FirstAnswer, value: int, before: int | None) -> Said:
        return Said(
            words=self.question.label_of(value),
            finds_it=value in self.question.present_values,
            is_flagged=first.answers.flag is not None,
            before="" if before is None else self.question.label_of(before),
            marked=self._marked_words(first) if self.what is What.EVIDENCE else (),
        )

    def _marked_words(self, first: FirstAnswer) -> tuple[str, ...]:
        text = item_text(first.place.item)
        return tuple(text.words_of(span) for span in first.answers.spans if span.code_id == self.code.id)


def behind(
    report: AgreementReport, code_id: str, what: What = What.ANSWERS, *, viewer: User | None = None
) -> Behind:
    """The items of which the viewer may read others' answers."""
    agreement = read_report(report)
    if isinstance(agreement, RetestAgreement):
        raters = tuple(each.rater for each in agreement.raters)
        item_ids = {each.code_id: each.changed for each in agreement.codes if what is What.ANSWERS}
    else:
        raters = agreement.raters
        item_ids = _item_ids(agreement, what)
    for question, code in codebook_of(report.edition).coded_questions():
        if code.id == code_id and code_id in item_ids:
            hidden = hidden_keys(viewer, report.study)
            shown = tuple(key for key in item_ids[code_id] if key not in hidden)
            return Behind(report, question, code, raters, shown, what)
    raise Http404("This report has no such theme.")


def _item_ids(agreement: BatchAgreement, what: What) -> dict[str, tuple[str, ...]]:
    if what is What.EVIDENCE:
        return {each.code_id: each.marks.elsewhere for each in agreement.codes if each.marks}
    return {each.code_id: each.disagreed for each in agreement.codes}


def _differ(one: Said | None, other: Said | None) -> bool:
    return one is not None and other is not None and one.words != other.words


def _key(first: FirstAnswer) -> tuple[str, str]:
    return first.place.item.item_id, first.place.assignment.annotator.username


def _settle_url(slug: str, item_id: str) -> str:
    try:
        return reverse("adjudication:item", args=[slug, item_id])
    except NoReverseMatch:
        return ""
