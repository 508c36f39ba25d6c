"""Leads from a released label back to the judgments and the decision that it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.answers import Answers, ItemText, Judgment
from annotation.release.card_words import SOURCE_WORDS
from annotation.release.judged_items import CodeAnswer
from annotation.release.rows import FinalLabel, ReleaseRow, Snippet, Vote, Words
from annotation.release.superseded import Definitions
from backend.annotate.judgments.models import Submission
from backend.annotate.judgments.selectors import submissions
from backend.core.studies.models import Study
from backend.decide.adjudication.annotator_answers import LEFT_OUT
from backend.decide.adjudication.models import Decision, Way
from backend.decide.adjudication.selectors import current_decision_for
from backend.decide.releases.models import Release
from backend.decide.releases.people import People, names_by_pseudonym
from backend.decide.releases.selectors import codebook_in
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from codebook.schema import Code, Question


@dataclass(frozen=True, slots=True)
class Judge:
    """An annotator, by name if the release is the study's own; `submission` is None if it was made elsewhere or is
    gone since."""

    pseudonym: str
    edition: str
    name: str
    submission: Submission | None


@dataclass(frozen=True, slots=True)
class TracedVote:
    """`has_changed`: the annotator says something else today."""

    answer: str
    quotes: tuple[str, ...]
    has_changed: bool


@dataclass(frozen=True, slots=True)
class TracedLabel:
    question: Question
    code: Code
    label: FinalLabel
    answer: str
    meaning: str
    quotes: tuple[str, ...]
    votes: tuple[TracedVote | None, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """Each label has a vote, or None, for each judge; `decision` is what stands of the adjudication today."""

    judges: tuple[Judge, ...]
    labels: tuple[TracedLabel, ...]
    adjudicator: str
    way: str
    item: Item | None
    text: ItemText | None
    decision: Decision | None


def trace_of(release: Release, row: ReleaseRow) -> Trace:
    study = release.study
    item = study.items.filter(item_id=row.item.item_id).first()
    text = _text(row, item)
    names = {} if release.is_imported else names_by_pseudonym(study)
    given = {} if release.is_imported or item is None else _trace_item(study, item)
    judges = _judges(row, names, given)
    codes = {code.id: (question, code) for question, code in codebook_in(release).coded_questions()}
    definitions = Definitions(
        codebook_in(release), {row.hash: codebook_of(row) for row in study.editions.all()}
    )
    says_now = [_says_now(judge, definitions) for judge in judges]
    fact = next((label.decision for label in row.labels if label.decision), None)
    decision = None
    if item is not None and fact and not release.is_imported:
        final = current_decision_for(item).final
        decision = Decision.objects.get(pk=final.pk) if final else None
    return Trace(
        judges=judges,
        labels=tuple(
            _label(*codes[label.code], label, text, judges, says_now)
            for label in row.labels
            if label.code in codes
        ),
        adjudicator=names.get(fact.adjudicator, f"researcher {fact.adjudicator[:6]}") if fact else "",
        way=Way(fact.way).label if fact else "",
        item=item,
        text=text,
        decision=decision,
    )


def _text(row: ReleaseRow, item: Item | None) -> ItemText | None:
    """The study's own text, else the release's, if it brought one."""
    if item is not None and item.post_text:
        return item_text(item)
    texts = row.item.texts
    if texts is None:
        return None
    return ItemText(row.item.item_id, texts.title, texts.post, texts.reply, texts.features)


_Given = dict[tuple[str, str], Submission]


def _trace_item(study: Study, item: Item) -> _Given:
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


def _judges(row: ReleaseRow, names: dict[str, str], given: _Given) -> tuple[Judge, ...]:
    """By name; whoever judged under two editions is there twice."""
    found = {(vote.annotator, vote.edition) for label in row.labels for vote in label.votes}
    judges = [
        Judge(
            annotator,
            edition,
            names.get(annotator, f"annotator {annotator[:6]}"),
            given.get((annotator, edition)),
        )
        for annotator, edition in found
    ]
    return tuple(sorted(judges, key=lambda judge: (judge.name, judge.edition)))


_Said = Mapping[str, CodeAnswer | None]


def _says_now(judge: Judge, definitions: Definitions) -> _Said | None:
    """By code of the release's edition; None if nothing of them is here."""
    if judge.submission is None:
        return None
    judgments = tuple(Judgment(row.code, row.value) for row in judge.submission.judgments.all())
    return definitions.carry(Answers(judgments, (), None), judge.edition)


def _label(
    question: Question,
    code: Code,
    label: FinalLabel,
    text: ItemText | None,
    judges: Sequence[Judge],
    says_now: Sequence[_Said | None],
) -> TracedLabel:
    votes = {(vote.annotator, vote.edition): vote for vote in label.votes}
    return TracedLabel(
        question=question,
        code=code,
        label=label,
        answer="" if label.value is None else question.label_of(label.value),
        meaning=SOURCE_WORDS[label.source],
        quotes=_quotes(label.evidence.snippets, text),
        votes=tuple(
            _vote(question, label.code, votes.get((judge.pseudonym, judge.edition)), text, said)
            for judge, said in zip(judges, says_now, strict=True)
        ),
    )


def _vote(
    question: Question, code: str, vote: Vote | None, text: ItemText | None, said: _Said | None
) -> TracedVote | None:
    if vote is None:
        return None
    now = said.get(code) if said is not None else None
    return TracedVote(
        answer=question.label_of(vote.value),
        quotes=_quotes(vote.words, text),
        has_changed=said is not None and (now is None or now.value != vote.value),
    )


def _quotes(words: Sequence[Words | Snippet], text: ItemText | None) -> tuple[str, ...]:
    """The words themselves, or where they are if the texts are elsewhere."""
    if text is None:
        return tuple(f"{place.part} {place.start}–{place.end}" for place in words)
    return tuple((text.text_of(place.part) or "")[place.start : place.end] for place in words)
