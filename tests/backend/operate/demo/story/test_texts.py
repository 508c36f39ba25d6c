"""The story's texts: many, distinct, the same for a seed, and annotated by simulated people as their truth allows."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

from annotation.answers import ItemText
from annotation.label_studio.decoding import decode_results
from annotation.label_studio.encoding import encode_answers
from backend.operate.demo.story.annotators import (
    FIRST_ROUND,
    SECOND_ROUND,
    Known,
    simulated_answers,
    true_answers,
)
from backend.operate.demo.story.loading import StorySize, story_codebook
from backend.operate.demo.story.texts import Thread, make_threads
from codebook.loader import parse_codebook

CODEBOOK = parse_codebook(story_codebook(), source="story")


@cache
def threads() -> list[Thread]:
    return make_threads(posts_each=StorySize().posts_each, seed=1)


def known_items() -> list[Known]:
    return [
        Known(
            ItemText(f"{thread.community}-{thread.number}-{at}", thread.title, thread.text, reply.text),
            thread.truth,
            reply.truth,
        )
        for thread in threads()
        for at, reply in enumerate(thread.replies)
    ]


def test_there_are_many_replies_and_no_two_are_alike() -> None:
    replies = [reply for thread in threads() for reply in thread.replies]
    assert len(replies) == len({reply.text for reply in replies}) >= 1500
    assert make_threads(posts_each=5, seed=3) == make_threads(posts_each=5, seed=3)
    assert make_threads(posts_each=5, seed=3) != make_threads(posts_each=5, seed=4)
    assert not any(
        sign in text for thread in threads() for text in (thread.title, thread.text) for sign in "{}<>&*"
    )


def test_every_theme_is_common_enough_to_be_learned() -> None:
    found = Counter(
        code for known in known_items() for truth in (known.post, known.reply) for code in truth.there
    )
    shares = {code.id: found[code.id] / len(known_items()) for _, code in CODEBOOK.coded_questions()}
    assert len(shares) == 8 and min(shares.values()) > 0.1, shares


def test_what_is_said_is_sound_and_errs_less_in_the_second_round() -> None:
    rng, errors = Random(1), Counter[str]()
    for known in known_items()[:400]:
        truth = true_answers(CODEBOOK, known)
        assert (
            decode_results(CODEBOOK, known.text, encode_answers(CODEBOOK, known.text, truth)).problems == ()
        )
        for name, hardness in (("first", FIRST_ROUND), ("second", SECOND_ROUND)):
            said = simulated_answers(CODEBOOK, known, hardness, 1.0, rng)
            decoding = decode_results(CODEBOOK, known.text, encode_answers(CODEBOOK, known.text, said))
            assert (decoding.answers, decoding.problems) == (said, ())
            errors[name] += sum(
                one != other for one, other in zip(said.judgments, truth.judgments, strict=True)
            )
    assert 0.02 < errors["second"] / (400 * 8) < errors["first"] / (400 * 8) < 0.12
