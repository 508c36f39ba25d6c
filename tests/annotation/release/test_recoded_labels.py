"""Labels under an edition in which codes were renamed, merged and split, from answers under the one before."""

from __future__ import annotations

from annotation.answers import Answers, Span
from annotation.release.labels import final_labels
from annotation.release.rows import FinalLabel, LabelSource
from codebook.schema import Codebook, Part
from tests.annotation.release.fixtures import PRACTICES, RULES, editions, judged, said
from tests.codebook.test_recoding import ADVICE, SUPPORT, merged, renamed, split, with_codes

RENAMED, MERGED, SPLIT = (with_codes(PRACTICES, change) for change in (renamed, merged, split))


def labels_of(
    new: Codebook,
    answers: dict[str, Answers],
    *,
    decision: Answers | None = None,
    under: dict[str, Codebook] | None = None,
) -> dict[str, FinalLabel]:
    item = judged("i", answers, codebook=PRACTICES, decision=decision, under=under)
    found = final_labels([item], new, editions(new, PRACTICES), RULES)
    return {label.code: label for label in found.by_item["i"]}


def spoken(advice: int, support: int, *spans: Span) -> Answers:
    return said({ADVICE: advice, SUPPORT: support}, *spans)


def test_a_code_with_another_id_keeps_its_labels_and_their_words() -> None:
    span = Span(ADVICE, Part.POST, 2, 8)
    label = labels_of(RENAMED, {"ann": spoken(1, 0, span), "bob": spoken(1, 0, span)})["wanting-advice"]
    assert (label.value, label.source, label.is_superseded) == (1, LabelSource.AGREED, False)
    assert [(snippet.start, snippet.end) for snippet in label.evidence.snippets] == [(2, 8)]


def test_merged_codes_are_there_where_one_was_and_say_that_they_were_defined_otherwise() -> None:
    spans = (Span(ADVICE, Part.POST, 2, 8), Span(SUPPORT, Part.POST, 6, 12))
    label = labels_of(MERGED, {"ann": spoken(1, 1, *spans)})["asking"]
    assert (label.value, label.is_superseded) == (1, True)
    assert [(snippet.start, snippet.end) for snippet in label.evidence.snippets] == [(2, 12)]
    assert (
        labels_of(MERGED, {"ann": spoken(0, 1), "bob": spoken(1, 0)})["asking"].source is LabelSource.AGREED
    )
    assert labels_of(MERGED, {"ann": spoken(0, 0)})["asking"].value == 0


def test_of_a_split_code_only_no_is_carried_over() -> None:
    for code in ("asking-what-to-do", "asking-who-is-right"):
        assert labels_of(SPLIT, {"ann": spoken(0, 1)})[code].value == 0
        label = labels_of(SPLIT, {"ann": spoken(1, 1)})[code]
        assert (label.value, label.source) == (None, LabelSource.NOT_CARRIED)


def test_a_dispute_about_a_split_code_does_not_end_as_no() -> None:
    answers = {"ann": spoken(1, 0), "bob": spoken(0, 0), "cleo": spoken(1, 0)}
    assert labels_of(SPLIT, answers)["asking-what-to-do"].source is LabelSource.NOT_CARRIED
    decided = labels_of(SPLIT, answers, decision=spoken(1, 0))["asking-what-to-do"]
    assert decided.source is LabelSource.NOT_CARRIED
    label = labels_of(SPLIT, answers, decision=spoken(0, 0))["asking-what-to-do"]
    assert (label.value, label.source) == (0, LabelSource.ADJUDICATED)


def test_what_was_judged_anew_goes_before_all_that_was_carried_over() -> None:
    answers = {"ann": spoken(1, 0), "bob": said({"asking-what-to-do": 1, "asking-who-is-right": 0})}
    labels = labels_of(SPLIT, answers, under={"bob": SPLIT})
    assert [labels[code].value for code in ("asking-what-to-do", "asking-who-is-right")] == [1, 0]
    assert not labels["asking-what-to-do"].is_superseded


def test_the_release_says_how_many_could_not_be_carried_over() -> None:
    items = [judged("a", {"ann": spoken(1, 0)}), judged("b", {"ann": spoken(0, 0)})]
    notes = final_labels(items, SPLIT, editions(SPLIT, PRACTICES), RULES).notes
    assert notes["asking-what-to-do"].startswith(
        "1 item was judged under codes that were split or merged since"
    )
    assert SUPPORT not in notes
