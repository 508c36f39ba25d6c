"""A release out of labels that came in tables: for those who have labelled files and no annotators."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from msgspec import UNSET

from annotation.answers import Features, ItemText, shown_codes
from annotation.consensus.values import Method, SpanRule, Ties
from annotation.release import table_annotators
from annotation.release.card_facts import CardFacts
from annotation.release.counts import counts_of, rare_themes
from annotation.release.files import Release
from annotation.release.judged_items import JudgedItem
from annotation.release.labels import FinalLabels, LabelRules, final_labels
from annotation.release.manifest import EditionEntry, Request, StudyEntry
from annotation.release.rows import (
    Evidence,
    FinalLabel,
    LabelSource,
    ReleaseItem,
    ReleaseRow,
    Snippet,
    SpanSource,
    SplitPart,
    Texts,
)
from annotation.release.soft_labels import refuse_single_answers, soft_facts
from annotation.release.split import Post, Ratio, split_items
from annotation.release.superseded import Superseded
from annotation.release.table_items import ReadTables, TableItem, TableLabel, without_spacing
from codebook.editions import edition_hash
from codebook.schema import AnswerKind, Codebook, Part

PLATFORM = "table"


class NothingLabelled(ValueError):
    def __init__(self) -> None:
        super().__init__("No row of the tables has a label that can be used. Check the columns of --label.")


class InSeveralParts(ValueError):
    def __init__(self, group: str) -> None:
        super().__init__(
            f"The group {group!r} is in more than one part, so a model would be tested on what it has seen. "
            "Put it into one."
        )


class ItemInTwoTables(ValueError):
    def __init__(self, item_id: str) -> None:
        super().__init__(
            f"The item {item_id!r} is in the tables of two parts. Give each item an id of its own."
        )


@dataclass(frozen=True, slots=True)
class ImportRequest:
    name: str
    community: str
    ratio: Ratio
    seed: int
    licence: str
    consensus: Method = Method.MAJORITY
    ties: Ties = Ties.SEED
    soft_labels: bool = False

    def rules(self) -> LabelRules:
        return LabelRules(
            self.consensus, SpanRule.MAJORITY, Superseded(), self.seed, ties=self.ties, soft=self.soft_labels
        )


def release_from_tables(
    tables: ReadTables, codebook: Codebook, request: ImportRequest, *, now: datetime
) -> Release:
    """Pairs that the tables contradict themselves on are left out and counted; so are those without any label. The
    parts that tables name stay as they are, and all other posts are dealt."""
    left_out = Counter({"repeated": tables.n_repeated})
    judged, final = _finally(tables, codebook, request)
    items: list[JudgedItem] = []
    labels: dict[str, tuple[FinalLabel, ...]] = {}
    settled: dict[Post, SplitPart] = {}
    for each, one in zip(tables.items.values(), judged, strict=True):
        name = one.item.item_id
        voted = {label.code: label for label in final.by_item[name]}
        own = tuple(
            table_annotators.settled(label, voted[label.code]) for label in _labels(each, one.text, codebook)
        )
        why = _why_left_out(each, own)
        if why:
            left_out[why] += 1
            continue
        if name in labels:
            raise ItemInTwoTables(name)
        _settle(settled, one.item, each.part)
        items.append(one)
        labels[name] = own
    if not items:
        raise NothingLabelled
    rows = split_items(items, labels, codebook, ratio=request.ratio, seed=request.seed, settled=settled)
    if request.soft_labels:
        refuse_single_answers(rows)
    left = {why: n for why, n in left_out.items() if n}
    return _release(rows, codebook, request, left, final.notes, is_split=bool(settled), now=now)


def _finally(
    tables: ReadTables, codebook: Codebook, request: ImportRequest
) -> tuple[list[JudgedItem], FinalLabels]:
    """The items, and the labels that come of what their annotators said."""
    post_ids: dict[str, str] = {}
    pseudonyms = table_annotators.pseudonyms_of(tables.items.values())
    judged = []
    for each in tables.items.values():
        text = ItemText(_item_id(each), each.title, each.post, each.reply, each.features)
        answers = table_annotators.answers_of(each, text, codebook, pseudonyms)
        judged.append(replace(_judged_item(each, text, request.community, post_ids), answers=answers))
    return judged, final_labels(judged, codebook, {edition_hash(codebook): codebook}, request.rules())


def _settle(settled: dict[Post, SplitPart], item: ReleaseItem, part: SplitPart | None) -> None:
    if part is not None and settled.setdefault(item.post, part) is not part:
        raise InSeveralParts(item.post_id)


def _why_left_out(each: TableItem, labels: tuple[FinalLabel, ...]) -> str:
    if each.is_contradictory:
        return "contradictory"
    if any(label.source.has_value for label in labels):
        return ""
    is_unplaced = any(label.source is LabelSource.UNPLACED for label in labels)
    return "unplaced" if is_unplaced else "unlabelled"


def _judged_item(each: TableItem, text: ItemText, community: str, post_ids: dict[str, str]) -> JudgedItem:
    """The same post under two ids is one post, or the split would tear it apart; where groups are named, they rule."""
    post_id = each.group or post_ids.setdefault(
        without_spacing(each.post), each.post_id or _digest(each.post)
    )
    reply_id = None if each.reply is None else each.reply_id or each.item or _digest(each.post, each.reply)
    features = each.features if each.features != Features() else None
    texts = Texts(each.title, each.post, each.reply, features)
    item = ReleaseItem(text.item_id, PLATFORM, community, post_id, reply_id, False, (), texts)
    return JudgedItem(item, text, (), None)


def _item_id(each: TableItem) -> str:
    return each.item or _digest(each.post, each.reply or "", str(each.reply is None))


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:20]


def _labels(each: TableItem, text: ItemText, codebook: Codebook) -> tuple[FinalLabel, ...]:
    """A marked sentence that no quote leads to is no label: it is somewhere, so there is no saying where it is not."""
    edition = edition_hash(codebook)
    found = []
    for question, code in shown_codes(codebook, text):
        label = each.label(code.id)
        without = LabelSource.NOT_ASKED
        if question.answer is AnswerKind.SENTENCES and label and label.value and not label.places:
            label, without = None, LabelSource.UNPLACED
        found.append(_final(code.id, question.part, label, edition, without))
    return tuple(found)


def _final(code: str, part: Part, label: TableLabel | None, edition: str, without: LabelSource) -> FinalLabel:
    """`without` says why there is no label, where there is none."""
    snippets = tuple(Snippet(part, start, end, 1.0) for start, end in (label.places if label else ()))
    return FinalLabel(
        code=code,
        value=label.value if label else None,
        source=LabelSource.IMPORTED if label else without,
        confidence=None,
        weight=1.0 if label else 0.0,
        edition=edition if label else None,
        is_superseded=False,
        n_annotators=0,
        evidence=Evidence(snippets, SpanSource.IMPORTED) if snippets else Evidence(),
        votes=(),
        decision=None,
    )


def _release(
    rows: tuple[ReleaseRow, ...],
    codebook: Codebook,
    request: ImportRequest,
    left_out: Mapping[str, int],
    notes: dict[str, str],
    *,
    is_split: bool,
    now: datetime,
) -> Release:
    counts = counts_of(rows, left_out)
    has_annotators = counts.annotators > 0
    study = StudyEntry(slug="imported", name=request.name)
    edition = EditionEntry(number=1, newest=1, hash=edition_hash(codebook))
    asked = Request(
        texts=True,
        consensus=request.consensus.value if has_annotators else "none",
        spans="majority" if has_annotators else "union",
        superseded="keep",
        superseded_weight=1.0,
        singles=True,
        ratio=request.ratio,
        seed=request.seed,
        split_like="",
        licence=request.licence,
        ties=request.ties.value if has_annotators else "frequent",
        soft_labels=True if request.soft_labels else UNSET,
    )
    facts = CardFacts(
        name=request.name,
        number=1,
        study=study,
        description="Made from a table of labelled texts.",
        language=codebook.language,
        edition=edition,
        codebook_title=codebook.title,
        editions_judged_under=(1,),
        request=asked,
        platforms=(PLATFORM,),
        communities=((request.community, len(rows)),),
        samples=(),
        n_undrawn=len(rows),
        n_unfinished=0,
        batches=(),
        decisions=(),
        agreement=(),
        rare_themes=rare_themes(rows, codebook),
        is_split_given=is_split,
        soft_labels=soft_facts(rows, codebook) if request.soft_labels else (),
    )
    return Release(request.name, 1, study, edition, codebook, asked, counts, notes, rows, facts, now)
