"""Tests a model on the labels of a release, code by code, on items that neither training nor suggestion touched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from annotation.release.rows import FinalLabel, LabelSource, ReleaseRow, Words
from annotation.release.split import Post
from annotation.tokens import covered_tokens
from codebook.schema import AnswerKind, Codebook, Part, Question
from learning.alternative_annotator.procedure import AltTests, both_lines
from learning.alternative_annotator.scores import ScoreName, mean_token_f1, minus_rmse, share_equal
from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan

Predictions = Mapping[str, ItemPrediction]
# What was said under a definition that holds no more is nothing to hold a model against.
_OUTDATED = frozenset({LabelSource.SUPERSEDED, LabelSource.NOT_CARRIED})


class Aspect(StrEnum):
    """What of a code is tested: the answer, or the words that were marked."""

    ANSWER = "answer"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class CodeTest:
    code: str
    aspect: Aspect
    score: ScoreName
    tests: AltTests


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many items of a release can be used, and why the others cannot; each is counted at the first reason."""

    n_items: int
    n_single: int
    n_learned: int
    n_suggested: int
    n_unpredicted: int

    @property
    def n_used(self) -> int:
        return self.n_items - self.n_single - self.n_learned - self.n_suggested - self.n_unpredicted


@dataclass(frozen=True, slots=True)
class ReleaseTest:
    """What is kept of a test: with which ε, on how many items, and what came out for each code."""

    epsilon: float
    overlap: Overlap
    codes: tuple[CodeTest, ...]


@dataclass(frozen=True, slots=True)
class UsableItems:
    rows: tuple[ReleaseRow, ...]
    overlap: Overlap


def usable_items(
    rows: Iterable[ReleaseRow], predicted: Set[str], *, learned: Set[str], learned_posts: Set[Post]
) -> UsableItems:
    """Items that at least two annotators labelled, none of them with a suggestion in view, under posts that the model
    did not learn from, and of which it said something."""
    listed = list(rows)
    overlapping = [row for row in listed if is_overlap(row)]
    unlearned = [
        row for row in overlapping if row.item.item_id not in learned and row.item.post not in learned_posts
    ]
    untouched = [row for row in unlearned if not row.item.suggested_by]
    used = tuple(row for row in untouched if row.item.item_id in predicted)
    overlap = Overlap(
        n_items=len(listed),
        n_single=len(listed) - len(overlapping),
        n_learned=len(overlapping) - len(unlearned),
        n_suggested=len(unlearned) - len(untouched),
        n_unpredicted=len(untouched) - len(used),
    )
    return UsableItems(used, overlap)


def is_overlap(row: ReleaseRow) -> bool:
    """Whether the labels of two annotators or more are known."""
    return any(len(label.votes) > 1 for label in row.labels if label.source not in _OUTDATED)


def run_release_test(
    items: UsableItems, predictions: Predictions, codebook: Codebook, *, epsilon: float, marks_words: bool
) -> ReleaseTest:
    """`marks_words` says whether the model gives evidence at all: one that never does is not tested on it."""
    clusters = {row.item.item_id: "\0".join(row.item.post) for row in items.rows}
    found = []
    for question, code in codebook.coded_questions():
        cases = list(_cases(code.id, items.rows, predictions))
        if question.answer is not AnswerKind.SENTENCES:
            found.append(_on_answers(code.id, question, cases, clusters, epsilon))
        if question.answer is AnswerKind.SENTENCES or (marks_words and question.answer.takes_evidence):
            found.append(_on_evidence(code.id, question, cases, clusters, epsilon))
    return ReleaseTest(epsilon, items.overlap, tuple(found))


@dataclass(frozen=True, slots=True)
class _Case:
    row: ReleaseRow
    label: FinalLabel
    said: CodePrediction


def _cases(code_id: str, rows: Iterable[ReleaseRow], predictions: Predictions) -> Iterator[_Case]:
    for row in rows:
        label = next((each for each in row.labels if each.code == code_id), None)
        said = predictions[row.item.item_id].of(code_id)
        if label is not None and label.votes and label.source not in _OUTDATED and said is not None:
            yield _Case(row, label, said)


def _on_answers(
    code_id: str, question: Question, cases: list[_Case], clusters: Mapping[str, str], epsilon: float
) -> CodeTest:
    annotations = {
        case.row.item.item_id: {vote.annotator: vote.value for vote in case.label.votes} for case in cases
    }
    model = {case.row.item.item_id: case.said.value for case in cases}
    score = ScoreName.RMSE if question.answer is AnswerKind.SCALE else ScoreName.ACCURACY
    agreement = minus_rmse if score is ScoreName.RMSE else share_equal
    tests = both_lines(annotations, model, agreement, epsilon=epsilon, clusters=clusters)
    return CodeTest(code_id, Aspect.ANSWER, score, tests)


def _on_evidence(
    code_id: str, question: Question, cases: list[_Case], clusters: Mapping[str, str], epsilon: float
) -> CodeTest:
    """On items where somebody marked something: where nobody did, everybody agrees, and the answer says so already."""
    annotations: dict[str, dict[str, frozenset[int]]] = {}
    model: dict[str, frozenset[int]] = {}
    for case in cases:
        text = _text(case.row, question)
        by = {vote.annotator: _marked_sentences(text, vote.words) for vote in case.label.votes}
        said = _marked_sentences(text, case.said.spans)
        if said or any(by.values()):
            annotations[case.row.item.item_id], model[case.row.item.item_id] = by, said
    tests = both_lines(annotations, model, mean_token_f1, epsilon=epsilon, clusters=clusters)
    return CodeTest(code_id, Aspect.EVIDENCE, ScoreName.TOKEN_F1, tests)


def _text(row: ReleaseRow, question: Question) -> str:
    """Empty in a release without texts, where nobody can tell which words were marked."""
    if row.item.texts is None:
        return ""
    texts = row.item.texts
    return (texts.post if question.part is Part.POST else texts.reply) or ""


def _marked_sentences(text: str, places: Iterable[Words | PredictedSpan]) -> frozenset[int]:
    return frozenset(covered_tokens(text, [(place.start, place.end) for place in places]))


def encode_test(test: ReleaseTest) -> str:
    return msgspec.json.encode(test).decode()


def decode_test(content: str) -> ReleaseTest:
    return msgspec.json.decode(content, type=ReleaseTest)
