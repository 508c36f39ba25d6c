"""Near-identical texts: exactly those that a comparison of every pair would find."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.label_errors.near_identical import near_identical, words_of
from tests.examples import examples

ADVICE = "I went through the same thing last year and it does get better with time, I promise you that."
WORDS = st.lists(st.sampled_from("abcde"), min_size=1, max_size=12).map(" ".join)


def slowly_similar(text: str, other: str) -> float:
    """Jaccard's similarity on sets of three words, written out."""
    sets = []
    for words in (words_of(text), words_of(other)):
        sets.append({words[at : at + 3] for at in range(len(words) - 2)})
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1]) if sets[0] | sets[1] else 0.0


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(WORDS, max_size=12), st.sampled_from([0.3, 0.5, 0.6, 0.8, 1.0]))
def test_it_misses_no_pair_and_invents_none(found: list[str], threshold: float) -> None:
    texts = {str(at): text for at, text in enumerate(found)}
    near = near_identical(texts.items(), threshold=threshold, fewest_words=1)
    group_of = {item: group for group in near.groups for item in group}
    for (item, text), (other, other_text) in combinations(texts.items(), 2):
        expected = 1.0 if words_of(text) == words_of(other_text) else slowly_similar(text, other_text)
        if expected >= threshold - 1e-9:
            assert near.similarity(item, other) == pytest.approx(expected)
            assert other in group_of[item]
        else:
            assert near.similarity(item, other) is None


def test_case_marks_spaces_and_a_word_do_not_make_another_text() -> None:
    near = near_identical(
        [
            ("a", ADVICE),
            ("b", ADVICE.upper().replace(",", " …")),
            ("c", ADVICE.replace("I promise you that", "I promise you")),
            ("d", "Something else altogether was written here by somebody with other thoughts."),
        ]
    )
    assert near.groups == (("a", "b", "c"),)
    assert near.similarity("a", "b") == 1.0
    assert near.similarity("a", "c") == pytest.approx(16 / 17)
    assert near.similarity("a", "d") is None


def test_short_texts_say_too_little() -> None:
    texts = [("a", "Thank you!"), ("b", "thank you"), ("c", ""), ("d", "…")]
    assert near_identical(texts).groups == ()
    assert near_identical(texts, fewest_words=2).groups == (("a", "b"),)


def test_scripts_without_spaces_are_compared_sign_by_sign() -> None:
    texts = [("a", "我很难过因为他昨天走了再也没有回来"), ("b", "我很难过因为他昨天走了再也没有回来吧")]
    assert near_identical(texts).groups == (("a", "b"),)


def test_the_order_of_texts_changes_nothing() -> None:
    texts = [(str(at), f"{ADVICE} {'more ' * (at % 3)}") for at in range(9)]
    assert near_identical(texts) == near_identical(texts[::-1])


def test_a_threshold_must_be_a_similarity() -> None:
    with pytest.raises(ValueError, match="not a similarity"):
        near_identical([], threshold=0)


@pytest.mark.slow
def test_many_texts_from_one_template_do_not_take_every_pair() -> None:
    rng = np.random.default_rng(1)
    lines = [" ".join(f"w{word}" for word in rng.integers(3000, size=60)) for _ in range(4000)]
    template = " ".join(f"t{at}" for at in range(60))
    texts = [(f"own-{at}", line) for at, line in enumerate(lines)]
    texts += [(f"made-{at}", f"{template} name{at}") for at in range(4000)]
    (group,) = near_identical(texts).groups
    assert sorted(group) == sorted(f"made-{at}" for at in range(4000))
