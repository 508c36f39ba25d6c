"""Merged snippets: what each rule keeps, and how the rules lie within one another."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.consensus.spans import MergedSpan, SpanOutside, merge_spans
from annotation.consensus.values import SpanRule
from annotation.tokens import covered_tokens
from tests.annotation.strategies import places, texts

Marked = list[list[tuple[int, int]]]


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[str, Marked]:
    text = draw(texts)
    spans = st.lists(places(text), max_size=3)
    return text, draw(st.lists(spans, min_size=1, max_size=5))


def ends(merged: tuple[MergedSpan, ...]) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in merged]


@given(marked_texts())
def test_union_holds_majority_holds_intersection(marked_text: tuple[str, Marked]) -> None:
    text, marked = marked_text
    union, intersection, majority = (
        set(covered_tokens(text, ends(merge_spans(text, marked, rule)))) for rule in SpanRule
    )
    assert union >= majority >= intersection
    assert union == set().union(*(covered_tokens(text, spans) for spans in marked))
    assert intersection == set.intersection(*(set(covered_tokens(text, spans)) for spans in marked))


@given(marked_texts(), st.sampled_from(SpanRule))
def test_spans_lie_in_the_text_apart_and_merging_again_changes_nothing(
    marked_text: tuple[str, Marked], rule: SpanRule
) -> None:
    text, marked = marked_text
    merged = merge_spans(text, marked, rule)
    assert all(0 <= span.start < span.end <= len(text) and 0 < span.confidence <= 1 for span in merged)
    if len(marked) > 1:
        assert all(one.end <= other.start for one, other in pairwise(merged))
        assert ends(merge_spans(text, [ends(merged)] * 3, rule)) == ends(merged)
    assert ends(merge_spans(text, [ends(merged)], rule)) == ends(merged)


@given(marked_texts(), st.sampled_from(SpanRule))
def test_the_order_of_annotators_changes_nothing(marked_text: tuple[str, Marked], rule: SpanRule) -> None:
    text, marked = marked_text
    assert merge_spans(text, marked, rule) == merge_spans(text, marked[::-1], rule)


@given(marked_texts())
def test_a_single_annotator_keeps_their_own_spans(marked_text: tuple[str, Marked]) -> None:
    text, marked = marked_text
    for rule in SpanRule:
        assert ends(merge_spans(text, marked[:1], rule)) == sorted(set(marked[0]))


@pytest.mark.parametrize("rule", SpanRule)
def test_identical_spans_come_back(rule: SpanRule) -> None:
    text = "I feel with you, so much."
    assert merge_spans(text, [[(2, 15), (17, 24)]] * 3, rule) == (
        MergedSpan(2, 15, 1.0),
        MergedSpan(17, 24, 1.0),
    )


def test_half_is_no_majority() -> None:
    text = "I feel with you"
    marked = [[(0, 6)], [(2, 15)], [(2, 6)], [(7, 11)]]
    assert merge_spans(text, marked, SpanRule.MAJORITY) == (MergedSpan(2, 6, 0.75),)
    assert ends(merge_spans(text, marked, SpanRule.UNION)) == [(0, 15)]
    assert merge_spans(text, marked, SpanRule.INTERSECTION) == ()


def test_nobody_marked_anything() -> None:
    assert merge_spans("I feel with you", [[], []], SpanRule.UNION) == ()
    assert merge_spans("I feel with you", [], SpanRule.INTERSECTION) == ()


@pytest.mark.parametrize("span", [(-1, 3), (3, 3), (4, 2), (0, 99)])
def test_a_span_that_is_not_in_the_text_is_refused(span: tuple[int, int]) -> None:
    with pytest.raises(SpanOutside, match="not in its text"):
        merge_spans("I feel with you", [[span], []], SpanRule.UNION)
