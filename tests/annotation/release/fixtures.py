"""Releases made without a database, for tests: items of a codebook, answers by a few annotators, and the files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import msgspec

from annotation.answers import Answers, ItemText, Judgment, Span
from annotation.consensus.values import Method, SpanRule
from annotation.release.card_facts import AgreementFact, BatchFact, CardFacts, SampleFact
from annotation.release.counts import counts_of
from annotation.release.files import Release
from annotation.release.judged_items import GivenAnswer, GivenDecision, JudgedItem
from annotation.release.labels import LabelRules, final_labels
from annotation.release.manifest import EditionEntry, Request, StudyEntry
from annotation.release.rows import DecisionFact, DecisionWay, DrawFact, ReleaseItem, Texts
from annotation.release.split import split_items
from annotation.release.superseded import Superseded
from codebook.editions import edition_hash
from codebook.schema import Codebook
from codebook.shipped import load_shipped

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PRACTICES = load_shipped("empathy-practices")
EPITOME = load_shipped("epitome")
CAUSES = load_shipped("empathy-cause")
RATINGS = load_shipped("construct-ratings")
POST = "😕 I feel lost at work today. What would you do?"
REPLY = "That sounds hard 🙂. I would talk to them."
REQUEST = Request(
    texts=False,
    consensus="majority",
    spans="majority",
    superseded="keep",
    superseded_weight=1.0,
    singles=True,
    ratio=(6, 2, 2),
    seed=7,
    split_like="",
    licence="",
)
RULES = LabelRules(Method.MAJORITY, SpanRule.MAJORITY, Superseded(), seed=7)


def said(values: Mapping[str, int], *spans: Span) -> Answers:
    return Answers(tuple(Judgment(code, value) for code, value in values.items()), spans, None)


def judged(
    item_id: str,
    answers: Mapping[str, Answers],
    *,
    codebook: Codebook = PRACTICES,
    decision: Answers | None = None,
    decided_under: Codebook | None = None,
    under: Mapping[str, Codebook] | None = None,
    post_id: str | None = None,
    with_texts: bool = False,
) -> JudgedItem:
    """`under` names the codebook of those who did not use this one."""
    used = {name: (under or {}).get(name, codebook) for name in answers}
    item = ReleaseItem(
        item_id=item_id,
        platform="reddit",
        community="lane",
        post_id=post_id or f"p-{item_id}",
        reply_id=f"r-{item_id}",
        flagged=False,
        draws=(DrawFact("Main", 0.25, 0.5, 0.5),),
        texts=Texts("A title", POST, REPLY) if with_texts else None,
    )
    decided = None
    if decision is not None:
        fact = DecisionFact("researcher-1", DecisionWay.WRITTEN)
        decided = GivenDecision(edition_hash(decided_under or codebook), decision, fact)
    given = tuple(GivenAnswer(name, edition_hash(used[name]), answer) for name, answer in answers.items())
    return JudgedItem(item, ItemText(item_id, "A title", POST, REPLY), given, decided)


def editions(*codebooks: Codebook) -> dict[str, Codebook]:
    return {edition_hash(codebook): codebook for codebook in codebooks}


def release_of(
    items: Sequence[JudgedItem],
    codebook: Codebook = PRACTICES,
    *,
    rules: LabelRules = RULES,
    request: Request = REQUEST,
    name: str = "First release",
    agreement: tuple[AgreementFact, ...] = (),
    newest: int = 1,
) -> Release:
    final = final_labels(items, codebook, editions(codebook), rules)
    rows = split_items(items, final.by_item, codebook, ratio=request.ratio, seed=request.seed)
    counts = counts_of(rows, {"flag": 2})
    study, edition = StudyEntry("kind-words", "Kind words"), EditionEntry(1, newest, edition_hash(codebook))
    facts = CardFacts(
        name=name,
        number=1,
        study=study,
        description="Words that people give each other.",
        language=codebook.language,
        edition=edition,
        codebook_title=codebook.title,
        editions_judged_under=(1,),
        request=request,
        platforms=("reddit",),
        communities=(("lane", len(rows)),),
        samples=(SampleFact("Main", "pairs at random", 1, "0" * 64, 100, len(rows)),),
        n_undrawn=0,
        n_unfinished=0,
        batches=(BatchFact("Batch 1", "Overlap", 1, len(rows), 3),),
        decisions=(("Written by the researcher", 1),),
        agreement=agreement,
        rare_themes=(("Asking advice", 0.01),),
    )
    return Release(name, 1, study, edition, codebook, request, counts, final.notes, rows, facts, NOW)


def small_release(
    *, n: int = 20, with_texts: bool = False, ratio: tuple[int, int, int] = REQUEST.ratio
) -> Release:
    """Items of the practices, two a post; every fourth is asking for advice, with its first words as evidence."""
    items = []
    for number in range(n):
        asks = number % 4 == 0
        values = {code.id: 0 for _, code in PRACTICES.coded_questions()} | {"asking-advice": int(asks)}
        spans = [Span("asking-advice", PRACTICES.questions[0].part, 2, 8)] if asks else []
        answers = {name: said(values, *spans) for name in ("annotator-1", "annotator-2")}
        items.append(judged(f"item-{number:03d}", answers, post_id=f"p{number // 2}", with_texts=with_texts))
    return release_of(items, request=_request(with_texts, ratio))


def _request(with_texts: bool, ratio: tuple[int, int, int]) -> Request:
    licence = "CC BY 4.0" if with_texts else ""
    return msgspec.structs.replace(REQUEST, texts=with_texts, ratio=ratio, licence=licence)


def reworded(codebook: Codebook, code_id: str, definition: str) -> Codebook:
    """Another edition, in which one code is defined otherwise."""
    questions = tuple(
        replace(
            question,
            codes=tuple(
                replace(code, definition=definition) if code.id == code_id else code
                for code in question.codes
            ),
        )
        for question in codebook.questions
    )
    return replace(codebook, questions=questions)
