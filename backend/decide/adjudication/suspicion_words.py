"""Says in a sentence why a label is suspected, and names the item to compare it with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from backend.core.accounts.models import User
from backend.decide.adjudication.models import Suspicion, SuspicionKind
from codebook.schema import Codebook, Question


@dataclass(frozen=True, slots=True)
class SuspicionInWords:
    """`other` is the id of the item with nearly the same words, if there is one."""

    suspicion: Suspicion
    sentence: str
    other: str


def in_words(suspicions: Iterable[Suspicion], codebook: Codebook) -> list[SuspicionInWords]:
    known = {code.id: (question, code.name) for question, code in codebook.coded_questions()}
    rows = list(suspicions)
    people = {user.username: str(user) for user in User.objects.filter(username__in=_name_codes(rows))}
    found = []
    for row in rows:
        question, name = known.get(row.code, (None, row.code))
        sentence = f"“{name}”: {_sentence(row, question, people)}"
        if row.reopens:
            sentence += f" This item was decided before and is open again, once: {row.reopens}"
        other = row.detail["other"] if row.kind == SuspicionKind.NEAR_IDENTICAL else ""
        found.append(SuspicionInWords(row, sentence, str(other)))
    return found


def _name_codes(rows: Iterable[Suspicion]) -> set[str]:
    return {row.detail[name] for row in rows for name in ("annotator", "by") if row.detail.get(name)}


def _sentence(row: Suspicion, question: Question | None, people: dict[str, str]) -> str:
    detail = row.detail
    if row.kind == SuspicionKind.PREDICTION:
        label, other = _word(question, detail["label"]), _word(question, detail["confident"])
        return f"the label is {label}, and a model that has not seen the item is sure of {other}."
    if row.kind == SuspicionKind.MODEL_ERROR:
        label, other = _word(question, detail["label"]), _word(question, detail["model_says"])
        who = people.get(detail["by"], detail["by"])
        return f"{who} holds the label, {label}, for an annotation error: the model “{detail['model']}” says {other}."
    who = people.get(detail["annotator"] or "", "the final label")
    one, other = (_word(question, value) for value in detail["values"])
    if row.kind == SuspicionKind.RECHECK:
        return f"{who} said {one} first and {other} when asked again."
    return f"{who} says {one} here, and {other} of nearly the same words elsewhere."


def _word(question: Question | None, value: int) -> str:
    return question.label_of(value) if question else str(value)
