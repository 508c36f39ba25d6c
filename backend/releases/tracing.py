"""Leads from a released label back to the judgments and the decision that it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.answers import ItemText
from annotation.release.card_words import SOURCE_WORDS
from annotation.release.read import read_codebook
from annotation.release.rows import FinalLabel, ReleaseRow, Snippet, Vote, Words
from backend.adjudication.given import LEFT_OUT
from backend.adjudication.models import Decision, Way
from backend.adjudication.selectors import final_decisions
from backend.judgments.models import Submission
from backend.judgments.selectors import submissions
from backend.releases.models import Release
from backend.releases.people import People, names_by_pseudonym
from backend.samples.models import Item
from backend.samples.selectors import item_text
from backend.studies.models import Study
from codebook.schema import Code, Question


@dataclass(frozen=True, slots=True)
class TracedVote:
    """`submission` is the judgment itself; None where it was made elsewhere, or is gone since."""

    who: str
    answer: str
    quotes: tuple[str, ...]
    submission: Submission | None
    has_changed: bool


@dataclass(frozen=True, slots=True)
class TracedLabel:
    question: Question
    code: Code
    label: FinalLabel
    answer: str
    meaning: str
    quotes: tuple[str, ...]
    votes: tuple[TracedVote, ...]
    adjudicator: str
    way: str


@dataclass(frozen=True, slots=True)
class Trace:
    """`decision` is what stands of the item's adjudication today."""

    labels: tuple[TracedLabel, ...]
    item: Item | None
    text: ItemText | None
    decision: Decision | None


def trace_of(release: Release, row: ReleaseRow) -> Trace:
    study = release.study
    item = study.items.filter(item_id=row.item.item_id).first()
    text = _text(row, item)
    people = {} if release.is_imported else names_by_pseudonym(study)
    names = {pseudonym: str(user) for pseudonym, user in people.items()}
    given = {} if release.is_imported or item is None else _given(study, item)
    codes = {code.id: (question, code) for question, code in read_codebook(release.folder).coded_questions()}
    labels = tuple(_label(*codes[label.code], label, text, names, given) for label in row.labels)
    decision = None
    if item is not None and any(label.decision for label in row.labels) and not release.is_imported:
        decision = final_decisions(study).get(item.pk)
    return Trace(labels, item, text, decision)


def _text(row: ReleaseRow, item: Item | None) -> ItemText | None:
    """The study's own text, else the release's, if it brought one."""
    if item is not None and item.post_text:
        return item_text(item)
    texts = row.item.texts
    return ItemText(row.item.item_id, texts.title, texts.post, texts.reply) if texts else None


_Given = dict[tuple[str, str], Submission]


def _given(study: Study, item: Item) -> _Given:
    """By pseudonym and edition, the earliest batch last so that it stays."""
    people = People(study)
    found = (
        submissions(study)
        .filter(assigned_item__item=item)
        .exclude(assigned_item__assignment__batch__kind__in=LEFT_OUT)
        .order_by("-assigned_item__assignment__batch__opened_at", "-pk")
    )
    return {
        (
            people.pseudonym(row.assigned_item.assignment.annotator_id),
            row.assigned_item.assignment.batch.edition.hash,
        ): row
        for row in found
    }


def _label(
    question: Question,
    code: Code,
    label: FinalLabel,
    text: ItemText | None,
    names: dict[str, str],
    given: _Given,
) -> TracedLabel:
    fact = label.decision
    return TracedLabel(
        question=question,
        code=code,
        label=label,
        answer="" if label.value is None else question.label_of(label.value),
        meaning=SOURCE_WORDS[label.source],
        quotes=_quotes(label.evidence.snippets, text),
        votes=tuple(_vote(question, label, vote, text, names, given) for vote in label.votes),
        adjudicator=names.get(fact.adjudicator, f"researcher {fact.adjudicator[:6]}") if fact else "",
        way=Way(fact.way).label if fact else "",
    )


def _vote(
    question: Question,
    label: FinalLabel,
    vote: Vote,
    text: ItemText | None,
    names: dict[str, str],
    given: _Given,
) -> TracedVote:
    submission = given.get((vote.annotator, vote.edition))
    now = {row.code: row.value for row in submission.judgments.all()} if submission else {}
    return TracedVote(
        who=names.get(vote.annotator, f"annotator {vote.annotator[:6]}"),
        answer=question.label_of(vote.value),
        quotes=_quotes(vote.words, text),
        submission=submission,
        has_changed=submission is not None and now.get(label.code) != vote.value,
    )


def _quotes(words: Sequence[Words | Snippet], text: ItemText | None) -> tuple[str, ...]:
    """The words themselves, or where they are if the texts are elsewhere."""
    if text is None:
        return tuple(f"{place.part} {place.start}–{place.end}" for place in words)
    return tuple((text.text_of(place.part) or "")[place.start : place.end] for place in words)
