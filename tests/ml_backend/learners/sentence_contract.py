"""What every learner promises that marks sentences and learns nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.answers import Features, ItemText, SentenceList
from annotation.sentences import sentences
from codebook.questions import model_questions
from codebook.schema import Codebook, Part
from codebook.shipped import load_shipped
from learning.predictions.rows import ItemPrediction
from ml_backend.examples import Example, Target
from ml_backend.learners.interface import Config, OneAnswerAlone
from tests.ml_backend.fixtures import example, examples, quiet
from tests.ml_backend.learners.contract import LearnerContract

CAUSES = load_shipped("empathy-cause")
CODE = "empathy-cause"


def _of_replies() -> Codebook:
    (question,) = CAUSES.questions
    of_reply = replace(question, id="moved", part=Part.REPLY, context=(Part.POST,))
    codes = tuple(replace(code, id="moved-words", name="Moved words", hotkey="2") for code in question.codes)
    return replace(CAUSES, questions=(replace(of_reply, codes=codes),))


OF_REPLIES = _of_replies()
OF_BOTH = replace(CAUSES, questions=(*CAUSES.questions, *OF_REPLIES.questions))


def talk(
    number: int, *, emotion: str = "joy", speakers: str = "ABAB", marked: tuple[int, ...] = ()
) -> Example:
    """Cut by its source, with two sentences by rule in the first."""
    said = [f"It is {number}. So what?", "Well.", f"Number {number} again", "Oh!"]
    post, places, at = "\n".join(said), [], 0
    for each in said:
        places.append((at, at + len(each)))
        at += len(each) + 1
    given = SentenceList(tuple(places), {"speaker": tuple(speakers)})
    features = Features({"emotion": emotion}, {Part.POST: given})
    text = ItemText(f"talk-{number}", "", post, "Oh!", features)
    marks = tuple(places[each] for each in marked)
    return Example(text, {CODE: Target(int(bool(marks)), 1.0, marks)})


def talks(n: int, *, start: int = 0) -> list[Example]:
    """Where there is joy the last sentence is marked, else the first one."""
    return [
        talk(number, emotion="joy" if number % 2 else "anger", marked=(3,) if number % 2 else (0,))
        for number in range(start, start + n)
    ]


def marked_places(of: Example, prediction: ItemPrediction) -> list[int]:
    places = of.text.sentences_of(Part.POST)
    return [places.index((span.start, span.end)) for span in prediction.codes[0].spans]


class SentenceContract(LearnerContract):
    codebook = OF_REPLIES
    two_parts = OF_BOTH

    @pytest.mark.parametrize("name", ["own", "empathy-cause"])
    def test_one_answer_in_training_is_enough(self, config: Config, name: str) -> None:
        """Not for sentences: of one class nothing can be told apart, and that is said."""
        codebook = self.codebook if name == "own" else CAUSES
        only = [example(codebook, 3 * number) for number in range(8)]
        with pytest.raises(OneAnswerAlone, match="one class alone for"):
            self.fitted(config, codebook, train=only, dev=only)

    def test_a_code_with_one_class_is_left_out_where_others_have_two(self, config: Config) -> None:
        train = [
            replace(each, targets={**each.targets, CODE: Target(0, 1.0)})
            for each in examples(OF_BOTH, self.n_train)
        ]
        said: list[str] = []
        learner = self.learner_type(model_questions(OF_BOTH), config)
        learner.fit(train, [], seed=1, report=said.append)
        assert any(f"one class alone: {CODE}" in line for line in said)
        (found,) = learner.predict([example(OF_BOTH, 41)], adapter_id="a", report=quiet)
        assert [code.code_id for code in found.codes] == ["moved-words"]

    def test_sentences_are_those_that_the_source_cut(self, config: Config) -> None:
        learner = self.fitted(config, CAUSES, train=talks(40), dev=talks(12, start=40))
        on = talks(4, start=60)
        assert all(len(sentences(each.text.post)) == 5 for each in on), "by rule there are more"
        for each, prediction in zip(on, self.predicted(learner, on), strict=True):
            places = each.text.sentences_of(Part.POST)
            assert {(span.start, span.end) for span in prediction.codes[0].spans} <= set(places)
