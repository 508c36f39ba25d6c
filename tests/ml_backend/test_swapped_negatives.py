"""Replies under other posts, learned as a no: which are made, of what, and that a network learns from them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.answers import ItemText
from codebook.questions import model_questions
from codebook.schema import Codebook
from codebook.shipped import load_shipped
from learning.probe.variants import OnePostOnly
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.learner import EncoderLora
from ml_backend.examples import Example, Target
from ml_backend.learners.interface import Input
from ml_backend.swapped_negatives import NothingToSwap, swapped_negatives
from tests.ml_backend.fixtures import examples, quiet

EPITOME = load_shipped("epitome")
TRAIN = examples(EPITOME, 30)


def made(
    share: float = 1.0, *, of: list[Example] = TRAIN, codebook: Codebook = EPITOME, mode: Input = Input.PAIR
) -> tuple[Example, ...]:
    return swapped_negatives(of, model_questions(codebook), mode, share=share, seed=1)


def test_a_reply_with_a_code_gets_another_post_and_the_code_is_absent() -> None:
    found = made()
    by_id = {each.item_id: each for each in TRAIN}
    assert len(found) == len({each.item_id for each in found}) == 20, "a third of the replies have no code"
    for each in found:
        own = by_id[each.item_id]
        assert each.text.reply == own.text.reply
        assert each.text.post != own.text.post and each.text.post in {one.text.post for one in TRAIN}
        assert {code: target.value for code, target in each.targets.items()} == dict.fromkeys(own.targets, 0)
        assert not any(target.marks for target in each.targets.values())


def test_codes_that_the_reply_lacks_are_left_open() -> None:
    mixed = [replace(each, targets={**each.targets, "explorations": Target(0, 1.0)}) for each in TRAIN]
    assert all("explorations" not in each.targets for each in made(of=mixed))


@pytest.mark.parametrize(("share", "n"), [(0.5, 10), (2.5, 50)])
def test_there_are_as_many_as_asked_for_and_the_same_again(share: float, n: int) -> None:
    found = made(share)
    assert len(found) == n and made(share) == found
    assert len({each.text for each in found}) > n * 0.8, "a reply that comes again has another post"


def test_posts_are_judged_without_replies_and_stay_as_they_are() -> None:
    codebook = load_shipped("empathy-practices")
    of_posts = {q.code_id for q in model_questions(codebook) if q.part == "post"}
    found = made(of=examples(codebook, 12), codebook=codebook)
    assert found and not any(of_posts & set(each.targets) for each in found)


def test_what_cannot_learn_from_them_says_what_to_do() -> None:
    with pytest.raises(NothingToSwap, match="--input pair or bi-encoder"):
        made(mode=Input.ALONE)
    ratings = load_shipped("construct-ratings")
    with pytest.raises(NothingToSwap, match="leave out --swapped-negatives"):
        made(of=examples(ratings, 6), codebook=ratings)
    one_post = [replace(each, text=replace(each.text, title="", post="The same.")) for each in TRAIN]
    with pytest.raises(OnePostOnly):
        made(of=one_post)


def test_a_network_that_learns_from_them_says_yes_less_often_under_other_posts(tiny_backbone: str) -> None:
    swapped = [
        Example(ItemText(each.item_id, "", "Bread.", each.text.reply))
        for each in TRAIN
        if each.targets["explorations"].value
    ]
    told: list[str] = []

    def mean_yes(share: float) -> float:
        config = EncoderConfig(
            backbone=tiny_backbone, epochs=3, full=True, learning_rate=5e-3, max_tokens=64, overlap=8,
            swapped_negatives=share,
        )  # fmt: skip
        learner = EncoderLora(model_questions(EPITOME), config)
        learner.fit(TRAIN, (), seed=1, report=told.append)
        found = learner.predict(swapped, adapter_id="a", report=quiet)
        said = [each.of("explorations") for each in found]
        return sum(1 - (code.probability_of(frozenset({0})) or 0) for code in said if code) / len(said)

    assert mean_yes(2.0) < mean_yes(0.0) - 0.1
    assert told.count("Replies under other posts, to be learned as a no: 40") == 1
