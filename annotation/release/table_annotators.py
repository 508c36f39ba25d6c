"""What several annotators say in a table: their answers under pseudonyms that lead back to nobody."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from annotation.answers import Answers, ItemText, Judgment, Span, shown_codes
from annotation.release.judged_items import GivenAnswer
from annotation.release.rows import FinalLabel, LabelSource
from annotation.release.table_items import TableItem
from codebook.editions import edition_hash
from codebook.schema import AnswerKind, Codebook


def pseudonyms_of(items: Iterable[TableItem]) -> dict[str, str]:
    """Numbered by what they said and not by their names, so that no list of names leads to them, and the same table
    gives the same numbers.

    >>> from annotation.release.table_items import TableLabel
    >>> item = TableItem("", "I fell.", None, None, None)
    >>> for who, value in (("Zoe", 0), ("Ada", 1)):
    ...     item.add("worry", TableLabel(value, ()), who)
    >>> pseudonyms_of([item])
    {'Zoe': 'annotator-1', 'Ada': 'annotator-2'}
    """
    said: dict[str, list[tuple[object, ...]]] = {}
    for at, item in enumerate(sorted(items, key=lambda each: (each.item or "", each.post, each.reply or ""))):
        for who, labels in item.said.items():
            said.setdefault(who, []).extend(
                (at, code, sorted((label.value, label.places) for label in own))
                for code, own in sorted(labels.items())
            )
    width = len(str(len(said)))
    ordered = sorted(said, key=lambda who: said[who])
    return {who: f"annotator-{number:0{width}}" for number, who in enumerate(ordered, start=1)}


def answers_of(
    item: TableItem, text: ItemText, codebook: Codebook, pseudonyms: Mapping[str, str]
) -> tuple[GivenAnswer, ...]:
    """A marked sentence that no quote leads to is no answer."""
    edition = edition_hash(codebook)
    found = []
    for who in item.said:
        judgments, spans = [], []
        for question, code in shown_codes(codebook, text):
            label = item.label(code.id, who)
            by_sentence = question.answer is AnswerKind.SENTENCES
            if label is None or (by_sentence and label.value and not label.places):
                continue
            judgments.append(Judgment(code.id, label.value))
            spans += [Span(code.id, question.part, start, end) for start, end in label.places]
        if judgments:
            found.append(GivenAnswer(pseudonyms[who], edition, Answers(tuple(judgments), tuple(spans), None)))
    return tuple(found)


def settled(imported: FinalLabel, voted: FinalLabel) -> FinalLabel:
    """A label that the table gives as nobody's in particular goes before what annotators said, as a decision does."""
    if imported.value is None:
        return voted if voted.source is not LabelSource.NOT_ASKED else imported
    return replace(imported, votes=voted.votes, n_annotators=voted.n_annotators, shares=voted.shares)
