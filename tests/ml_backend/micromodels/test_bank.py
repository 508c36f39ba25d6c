"""Seeds, and how like them a sentence is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from codebook.questions import model_questions
from codebook.schema import Part
from codebook.shipped import load_shipped
from ml_backend.examples import Target
from ml_backend.micromodels.bank import Micromodel, group_seeds
from ml_backend.micromodels.seeds import Seed, seeds_of
from tests.ml_backend.fixtures import SIGNS, example, examples

EPITOME = load_shipped("epitome")
QUESTION = model_questions(EPITOME)[0]


def test_seeds_are_what_was_marked_each_once_with_the_items_that_say_it() -> None:
    seeds = seeds_of(QUESTION, examples(EPITOME, 9))
    assert {seed.text for seed in seeds} == {f"{SIGNS[2]}.", f"{SIGNS[1]}."}
    assert {item for seed in seeds for item in seed.items} == {f"item-00{n}" for n in (1, 2, 4, 5, 7, 8)}
    assert seeds_of(QUESTION, [example(EPITOME, 0)]) == ()


def test_a_mark_over_several_sentences_gives_a_seed_for_each() -> None:
    one = example(EPITOME, 2)
    whole = Target(2, 1.0, ((0, len(one.text.reply or "")),))
    seeds = seeds_of(QUESTION, [replace(one, targets={QUESTION.code_id: whole})])
    assert [seed.text for seed in seeds] == ["Hello number 2.", f"I say {SIGNS[2]}.", "Good night!"]


def test_an_item_is_not_compared_with_what_it_alone_says() -> None:
    seeds = (Seed("a", frozenset({"x"})), Seed("b", frozenset({"x", "y"})))
    vectors = np.array([[1.0, 0.0], [0.6, 0.8]], dtype=np.float32)
    micromodel = Micromodel("warmth", Part.REPLY, seeds, vectors)
    asked = np.array([[1.0, 0.0], [-1.0, 0.0]], dtype=np.float32)
    likeness, which = micromodel.nearest(asked)
    assert likeness.tolist() == [1.0, 0.0] and which[0] == 0
    likeness, which = micromodel.nearest(asked, without="x")
    assert likeness.tolist() == [0.6, 0.0] and which[0] == 1
    assert micromodel.nearest(asked, without="y")[0].tolist() == [1.0, 0.0]
    assert micromodel.lone_items == {"x"} and micromodel.name == "warmth: a"


@pytest.mark.parametrize(("n", "sizes"), [(1, [4]), (2, [3, 1]), (9, [1, 1, 1, 1])])
def test_seeds_that_are_alike_make_a_micromodel(n: int, sizes: list[int]) -> None:
    vectors = np.array([[1.0, 0.0], [0.99, 0.141], [0.98, 0.199], [0.0, 1.0]], dtype=np.float32)
    seeds = [Seed(name, frozenset({name})) for name in "abcd"]
    found = group_seeds("warmth", Part.REPLY, seeds, vectors, n)
    assert [len(each.seeds) for each in found] == sizes
    assert {seed.text for each in found for seed in each.seeds} == set("abcd")
    for each in found:
        assert [seeds["abcd".index(seed.text)] for seed in each.seeds] == list(each.seeds)
        rows = ["abcd".index(seed.text) for seed in each.seeds]
        assert each.vectors.tolist() == vectors[rows].tolist()
