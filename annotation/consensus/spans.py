"""The words that several annotators together highlighted, where nobody decided between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from annotation.consensus.values import SpanRule
from annotation.tokens import covered_tokens, tokens

SpanEnds = tuple[int, int]


class SpanOutside(ValueError):
    """A span that does not lie in the text it is said to be of."""

    def __init__(self, start: int, end: int, length: int) -> None:
        super().__init__(
            f"The span {start}-{end} is empty or not in its text of {length} characters: read the judgments again."
        )


@dataclass(frozen=True, slots=True)
class MergedSpan:
    """`confidence` is the share of annotators who marked a token, averaged over the span's tokens."""

    start: int
    end: int
    confidence: float


def merge_spans(text: str, marked: Sequence[Sequence[SpanEnds]], rule: SpanRule) -> tuple[MergedSpan, ...]:
    """One sequence of spans for each annotator who found the code, an empty one where they marked nothing.

    A token is kept if anybody (union), everybody (intersection) or more than half of the annotators (majority) marked
    at least a part of it. Neighbouring kept tokens are one span, with the white space between them. A single
    annotator's spans come back as they are.

    >>> text = "I am so sorry for your loss."
    >>> marked = [[(0, 13)], [(5, 13)], [(8, 27)]]
    >>> for rule in SpanRule:
    ...     for span in merge_spans(text, marked, rule):
    ...         print(rule.value, repr(text[span.start : span.end]), round(span.confidence, 2))
    union 'I am so sorry for your loss' 0.48
    intersection 'sorry' 1.0
    majority 'so sorry' 0.83
    """
    for spans in marked:
        for start, end in spans:
            if not 0 <= start < end <= len(text):
                raise SpanOutside(start, end, len(text))
    if len(marked) == 1:
        return tuple(MergedSpan(start, end, 1.0) for start, end in sorted(set(marked[0])))
    counts = [0] * len(places := tokens(text))
    for spans in marked:
        for token in covered_tokens(text, spans):
            counts[token] += 1
    return _join(places, counts, len(marked), rule)


def _join(
    places: Sequence[SpanEnds], counts: Sequence[int], n_annotators: int, rule: SpanRule
) -> tuple[MergedSpan, ...]:
    # At least one: what nobody marked is not kept because nobody was there to leave it out.
    everybody = max(n_annotators, 1)
    needed = {SpanRule.UNION: 1, SpanRule.INTERSECTION: everybody, SpanRule.MAJORITY: n_annotators // 2 + 1}
    runs = groupby(range(len(places)), key=lambda token: counts[token] >= needed[rule])
    kept = [list(run) for is_kept, run in runs if is_kept]
    return tuple(
        MergedSpan(
            start=places[run[0]][0],
            end=places[run[-1]][1],
            confidence=sum(counts[token] for token in run) / (n_annotators * len(run)),
        )
        for run in kept
    )
