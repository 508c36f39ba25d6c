"""Where a model and a release differ, and how people sort that."""

import csv
from dataclasses import replace
from io import StringIO

from analysis.error_analysis import CodeErrors, ErrorKind, Quote, errors_by_code, tag_counts
from analysis.error_tables import csv_errors
from analysis.error_tags import ErrorTag
from annotation.release.rows import ReleaseRow, SplitPart, Vote, Words
from codebook.schema import Part
from codebook.shipped import load_shipped
from tests.learning.scoring.gold_fixtures import (
    EPITOME,
    PRACTICES,
    RATINGS,
    gold_row,
    predicted,
    random_study,
)

CAUSES = load_shipped("empathy-cause")
CODE = "sharing-emotions"
TAGS = {
    ("b", CODE): {ErrorTag.OVER_INFERENCE, ErrorTag.WRONG_SUBJECT},
    ("c", CODE): {ErrorTag.ANNOTATION_ERROR},
}


def with_vote(row: ReleaseRow) -> ReleaseRow:
    vote = Vote("ada", 1, "e", (Words(Part.POST, 0, 6),))
    return replace(row, labels=(replace(row.labels[0], votes=(vote,)),))


def emotions() -> CodeErrors:
    """The post is “I feel lost. What now?”: gold and model agree on a, and differ on b, c and d."""
    rows = [
        gold_row("a", {CODE: 1}, PRACTICES, spans={CODE: [(0, 11)]}),
        with_vote(gold_row("b", {CODE: 0}, PRACTICES)),
        gold_row("c", {CODE: 0}, PRACTICES),
        gold_row("d", {CODE: 1}, PRACTICES, spans={CODE: [(2, 11), (0, 1)]}),
    ]
    said = [
        predicted("a", {CODE: 1}, PRACTICES),
        predicted("b", {CODE: 1}, PRACTICES, probabilities={CODE: (0.4, 0.6)}, spans={CODE: [(13, 22)]}),
        predicted("c", {CODE: 1}, PRACTICES, probabilities={CODE: (0.1, 0.9)}),
        predicted("d", {CODE: 0}, PRACTICES, probabilities={CODE: (0.8, 0.2)}),
    ]
    found = errors_by_code(rows, said, PRACTICES, part_of_split=SplitPart.TEST)
    return next(each for each in found if each.code == CODE)


def test_errors_are_there_with_the_words_of_both_sides_and_the_surest_first() -> None:
    found = emotions()
    assert (found.n_items, found.n_there) == (4, 2)
    assert [error.item_id for error in found.false_positives] == ["c", "b"]
    second = found.false_positives[1]
    assert second.kind is ErrorKind.FALSE_POSITIVE and (second.gold_value, second.model_value) == (0, 1)
    assert second.gold == () and second.model == (Quote(13, 22, "What now?"),)
    assert second.annotators[0].quotes == (Quote(0, 6, "I feel"),)
    (missed,) = found.false_negatives
    assert missed.gold == (Quote(0, 1, "I"), Quote(2, 11, "feel lost"))
    assert missed.probability == 0.2


def test_every_disagreement_is_an_error_once() -> None:
    rows, said = random_study(EPITOME, n=60, seed=5)
    values = {row.item.item_id: {label.code: label.value for label in row.labels} for row in rows}
    for code in errors_by_code(rows, said, EPITOME, part_of_split=None):
        apart = set()
        for each in said:
            answer = each.of(code.code)
            assert answer is not None
            if (values[each.item_id][code.code] == 0) != (answer.value == 0):
                apart.add(each.item_id)
        assert {error.item_id for error in code.errors} == apart
        assert len(code.errors) == len(apart) > 0


def test_ratings_have_no_false_positives() -> None:
    rows, said = random_study(RATINGS, n=10, seed=1)
    assert errors_by_code(rows, said, RATINGS, part_of_split=None) == ()


def test_tags_are_counted_by_code_and_kind_and_what_is_left_to_sort() -> None:
    positives, negatives = tag_counts([emotions()], TAGS)
    assert (positives.n, positives.untagged) == (2, 0)
    assert positives.by_tag[ErrorTag.OVER_INFERENCE] == positives.by_tag[ErrorTag.ANNOTATION_ERROR] == 1
    assert positives.by_tag[ErrorTag.QUOTED_SPEECH] == 0
    assert (negatives.n, negatives.untagged) == (1, 1)


def test_only_a_doubted_label_goes_to_adjudication_and_every_tag_is_explained() -> None:
    assert [tag for tag in ErrorTag if tag.asks_for_adjudication] == [ErrorTag.ANNOTATION_ERROR]
    assert all(tag.in_words and tag.meaning.endswith(".") for tag in ErrorTag)


def test_the_table_has_words_only_if_asked() -> None:
    rows = list(csv.DictReader(StringIO(csv_errors([emotions()], TAGS))))
    assert [row["item"] for row in rows] == ["c", "b", "d"]
    assert rows[1]["model_words"] == "13-22" and rows[1]["tags"] == "over-inference; wrong-subject"
    assert "What now?" not in csv_errors([emotions()], TAGS)
    assert "What now?" in csv_errors([emotions()], TAGS, with_words=True)


def test_other_sentences_than_gold_marks_are_an_error_though_both_find_some() -> None:
    """Of “I feel lost. What now?” gold marks the first sentence, the second, or both."""
    first, second = (0, 12), (13, 22)
    gold = {"same": [first], "other": [first], "more": [first], "fewer": [first, second], "none": []}
    model = {"same": [first], "other": [second], "more": [first, second], "fewer": [first], "none": [second]}
    code = "empathy-cause"
    rows = [gold_row(item, {code: int(bool(own))}, CAUSES, spans={code: own}) for item, own in gold.items()]
    said = [predicted(item, {code: 1}, CAUSES, spans={code: own}) for item, own in model.items()]
    (found,) = errors_by_code(rows, said, CAUSES, part_of_split=SplitPart.TEST)
    assert {error.item_id for error in found.false_positives} == {"more", "none"}
    assert {error.item_id for error in found.false_negatives} == {"other", "fewer"}
    (missed,) = (error for error in found.false_negatives if error.item_id == "other")
    assert missed.gold == (Quote(*first, "I feel lost."),) and missed.model == (Quote(*second, "What now?"),)
