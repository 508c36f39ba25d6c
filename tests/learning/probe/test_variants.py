"""Replies under other posts, and utterances among their sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.answers import ItemText
from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from learning.probe.variants import (
    NoReplies,
    OnePostOnly,
    UnrelatedPost,
    insert_utterance,
    make_texts,
    swap_posts,
)
from tests.annotation.release.fixtures import PRACTICES
from tests.examples import examples
from tests.learning.probe.fixtures import CODE, context_release
from tests.ml_backend.fixtures import made_release

UNRELATED = (
    UnrelatedPost("The printer hums."),
    UnrelatedPost("We went by train.", "I took the bus. It was late."),
)


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=12), st.integers(0, 99))
def test_every_reply_keeps_its_words_and_gets_another_post(posts: list[str], seed: int) -> None:
    true = [ItemText(str(at), "", post, f"reply {at}") for at, post in enumerate(posts)]
    if len(set(posts)) == 1:
        with pytest.raises(OnePostOnly, match="on one post"):
            swap_posts(true, SplitPart.TEST, np.random.default_rng(seed))
        return
    swapped = swap_posts(true, SplitPart.TEST, np.random.default_rng(seed))
    for before, after in zip(true, swapped, strict=True):
        assert (after.item_id, after.reply) == (before.item_id, before.reply)
        assert after.post != before.post and after.post in posts


def test_an_utterance_is_a_sentence_among_those_of_the_reply() -> None:
    rng = np.random.default_rng(2)
    found = {insert_utterance("I took the bus. It was late.", "I feel you", rng) for _ in range(40)}
    assert found == {
        "I feel you. I took the bus. It was late.",
        "I took the bus. I feel you. It was late.",
        "I took the bus. It was late. I feel you.",
    }
    assert insert_utterance("", "Why?", rng) == "Why?"


def test_the_texts_of_a_probe(tmp_path: Path) -> None:
    release = read_release(context_release(tmp_path))
    words = {CODE: ("so sorry to hear it", "I feel you"), "explorations": ()}
    texts = make_texts(release, SplitPart.TEST, UNRELATED, words, seed=5)
    assert texts == make_texts(release, SplitPart.TEST, UNRELATED, words, seed=5)
    assert [each.item_id for each in texts.true] == [each.item_id for each in texts.swapped]
    assert {each.code_id for each in texts.inserted} == {CODE} and len(texts.inserted) == len(UNRELATED)
    own_posts = {each.post for each in texts.true}
    for each in texts.inserted:
        assert each.unrelated.post == UNRELATED[each.post].post and each.own.post in own_posts
        assert each.unrelated.reply == each.own.reply and words[CODE][each.utterance] in str(each.own.reply)
    assert [each.reply for each in texts.bare] == ["I took the bus. It was late."]
    assert texts.contrasted == ()


def test_a_release_without_replies_or_texts_is_refused(tmp_path: Path) -> None:
    release = read_release(made_release(tmp_path / "bare", PRACTICES, with_texts=False))
    with pytest.raises(NoReplies, match="with --texts"):
        make_texts(release, SplitPart.TEST, UNRELATED, {}, seed=1)
