"""A model on the labels of a release: which items count, and how answers, ratings and marked words are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from annotation.answers import Span
from annotation.release.rows import LabelSource, ReleaseRow
from codebook.schema import Codebook, Part
from learning.alternative_annotator.releases import (
    Aspect,
    CodeTest,
    Overlap,
    decode_test,
    encode_test,
    run_release_test,
    usable_items,
)
from learning.alternative_annotator.scores import ScoreName
from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan
from tests.annotation.release.fixtures import CAUSES, EPITOME, RATINGS, REPLY, judged, release_of, said

CODE = "emotional-reactions"
NAMES = ("Ada", "Ben", "Cleo")
HARD = (REPLY.index("hard"), REPLY.index("hard") + 4)
SOUNDS = (REPLY.index("sounds"), REPLY.index("sounds") + 6)


def rows_of(
    *labels: tuple[int, int, int],
    code: str = CODE,
    codebook: Codebook = EPITOME,
    marks: Mapping[str, tuple[int, int]] | None = None,
    posts: int = 1000,
) -> tuple[ReleaseRow, ...]:
    """An item for each triple, with the answers of Ada, Ben and Cleo, and the words that they marked."""
    items = []
    for at, values in enumerate(labels):
        answers = {}
        for name, value in zip(NAMES, values, strict=True):
            place = (marks or {}).get(name)
            spans = (Span(code, Part.REPLY, *place),) if place and value else ()
            answers[name] = said({code: value}, *spans)
        post = f"p-{at % posts}"
        items.append(
            judged(f"i-{at:03}", answers, codebook=codebook, post_id=post, with_texts=codebook is EPITOME)
        )
    return tuple(release_of(items, codebook).rows)


def predictions(
    rows: tuple[ReleaseRow, ...], value: int, *places: tuple[int, int], code: str = CODE
) -> dict[str, ItemPrediction]:
    spans = tuple(PredictedSpan(Part.REPLY, *place, score=1.0) for place in places)
    return {
        row.item.item_id: ItemPrediction(row.item.item_id, (CodePrediction(code, value, (), spans),), "model")
        for row in rows
    }


def outcome(
    rows: tuple[ReleaseRow, ...],
    said_by_model: dict[str, ItemPrediction],
    codebook: Codebook = EPITOME,
    *,
    code: str = CODE,
    aspect: Aspect = Aspect.ANSWER,
) -> CodeTest:
    items = usable_items(rows, said_by_model.keys(), learned=set(), learned_posts=set())
    found = run_release_test(items, said_by_model, codebook, epsilon=0.15, marks_words=True)
    return next(each for each in found.codes if (each.code, each.aspect) == (code, aspect))


def test_levels_are_compared_as_answers_and_posts_give_the_second_line() -> None:
    rows = rows_of(*[(2, 2, 2)] * 30, *[(0, 2, 2)] * 10, posts=8)
    found = outcome(rows, predictions(rows, 2))
    assert found.score is ScoreName.ACCURACY
    by_item, by_post = found.tests.by_item, found.tests.clustered
    assert by_item.advantage_probability == 1.0
    # Cleo and Ben tie with the model everywhere; Ada loses ten, so that the model is as good everywhere.
    assert [each.disadvantage for each in by_item.tested] == [0.75, 1.0, 1.0]
    assert by_post is not None and [each.n_clusters for each in by_post.tested] == [8, 8, 8]
    assert found.tests.passes is True


def test_a_model_that_everybody_contradicts_does_not_pass() -> None:
    rows = rows_of(*[(2, 2, 2)] * 40)
    found = outcome(rows, predictions(rows, 0))
    assert (found.tests.by_item.winning_rate, found.tests.passes) == (0.0, False)
    assert found.tests.by_item.advantage_probability == 0.0


def test_ratings_are_compared_by_their_distance() -> None:
    code = next(code.id for _, code in RATINGS.coded_questions())
    rows = rows_of(*[(1, 3, 5)] * 30, code=code, codebook=RATINGS)
    found = outcome(rows, predictions(rows, 3, code=code), RATINGS, code=code)
    assert found.score is ScoreName.RMSE
    # 3 is nearer to (3, 5) than 1 is, ties with Ben, and is nearer to (1, 3) than 5 is.
    assert [each.advantage for each in found.tests.by_item.tested] == [1.0, 1.0, 1.0]
    assert [each.disadvantage for each in found.tests.by_item.tested] == [0.0, 1.0, 0.0]


def test_marked_words_are_compared_where_somebody_marked_any() -> None:
    marks = {"Ada": HARD, "Ben": HARD, "Cleo": SOUNDS}
    rows = rows_of(*[(2, 2, 2)] * 30, *[(0, 0, 0)] * 20, marks=marks)
    quiet = {row.item.item_id for row in rows if row.labels[0].value == 0}
    right = predictions(rows, 2, HARD)
    for item in quiet:
        right[item] = ItemPrediction(item, (CodePrediction(CODE, 0),), "model")
    found = outcome(rows, right, aspect=Aspect.EVIDENCE)
    assert found.score is ScoreName.TOKEN_F1
    assert found.tests.by_item.n_items == 30
    pairs = {each.annotator: (each.advantage, each.disadvantage) for each in found.tests.by_item.tested}
    assert pairs == {"Ada": (1.0, 1.0), "Ben": (1.0, 1.0), "Cleo": (1.0, 0.0)}
    wrong = predictions(rows, 2, (0, 4))
    assert outcome(rows, wrong, aspect=Aspect.EVIDENCE).tests.by_item.winning_rate == 0.0


def test_who_marks_no_words_is_tested_on_answers_alone() -> None:
    rows = rows_of(*[(2, 2, 2)] * 30)
    made = predictions(rows, 2)
    items = usable_items(rows, made.keys(), learned=set(), learned_posts=set())
    found = run_release_test(items, made, EPITOME, epsilon=0.1, marks_words=False)
    assert {code.aspect for code in found.codes} == {Aspect.ANSWER}


def test_marked_sentences_are_evidence_and_no_answer() -> None:
    code = next(code.id for _, code in CAUSES.coded_questions())
    rows = rows_of(*[(0, 0, 0)] * 30, code=code, codebook=CAUSES)
    made = predictions(rows, 0, code=code)
    items = usable_items(rows, made.keys(), learned=set(), learned_posts=set())
    found = run_release_test(items, made, CAUSES, epsilon=0.1, marks_words=False)
    assert [each.aspect for each in found.codes] == [Aspect.EVIDENCE]


def test_items_that_training_or_a_suggestion_touched_do_not_count() -> None:
    rows = list(rows_of(*[(2, 2, 2)] * 10, posts=5))
    by_id = {row.item.item_id: at for at, row in enumerate(rows)}
    seen = by_id["i-001"]
    other = by_id["i-002"]
    rows[other] = replace(rows[other], item=replace(rows[other].item, suggested_by=("another-model",)))
    alone = by_id["i-003"]
    labels = tuple(replace(label, votes=label.votes[:1]) for label in rows[alone].labels)
    rows[alone] = replace(rows[alone], labels=labels)
    made = predictions(tuple(rows), 2)
    del made["i-004"]
    # Items 1 and 6 lie under one post: who learned from the one knows the text of the other.
    found = usable_items(rows, made.keys(), learned={"i-001"}, learned_posts={rows[seen].item.post})
    assert found.overlap == Overlap(n_items=10, n_single=1, n_learned=2, n_suggested=1, n_unpredicted=1)
    assert found.overlap.n_used == 5
    assert {row.item.item_id for row in found.rows} == {"i-000", "i-005", "i-007", "i-008", "i-009"}


def test_what_was_said_under_an_older_definition_does_not_count() -> None:
    rows = list(rows_of(*[(2, 2, 2)] * 40))
    for at in range(5):
        labels = tuple(replace(label, source=LabelSource.SUPERSEDED, value=None) for label in rows[at].labels)
        rows[at] = replace(rows[at], labels=labels)
    made = predictions(tuple(rows), 2)
    found = usable_items(rows, made.keys(), learned=set(), learned_posts=set())
    assert (found.overlap.n_single, found.overlap.n_used) == (5, 35)
    assert outcome(tuple(rows), made).tests.by_item.n_items == 35


@pytest.mark.parametrize("epsilon", [0.1, 0.2])
def test_what_is_kept_reads_back_with_its_epsilon(epsilon: float) -> None:
    rows = rows_of(*[(2, 2, 0)] * 31)
    made = predictions(rows, 2)
    items = usable_items(rows, made.keys(), learned=set(), learned_posts=set())
    found = run_release_test(items, made, EPITOME, epsilon=epsilon, marks_words=True)
    assert decode_test(encode_test(found)) == found
    assert decode_test(encode_test(found)).epsilon == epsilon
