"""What every learner promises; the tests of each inherit it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from annotation.answers import ItemText
from codebook.editions import edition_hash
from codebook.questions import model_questions
from codebook.schema import Codebook, Part
from codebook.shipped import load_shipped, shipped_codebooks
from learning.learners.registry import learner_spec
from learning.learners.spec import Kind
from learning.predictions.rows import ItemPrediction
from learning.predictions.soundness import check_item, questions_by_code
from learning.tasks.progress import TrainingPoint
from ml_backend.examples import Example
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.interface import Config, Learner, NothingAsked, ParentUnfit
from tests.ml_backend.fixtures import example, examples, item_ids, quiet

EPITOME = load_shipped("epitome")
SEED = 3
KINDS = {Kind.WHOLE: int, Kind.NUMBER: float, Kind.FLAG: bool, Kind.WORDS: str}
_learned: dict[tuple[type[Learner], Config, str], Learner] = {}


class LearnerContract:
    """`learner_type` and a quick `config` come from the class that inherits; who learns slowly learns from less. Who
    does not learn every kind of answer names a `codebook` about replies, and one about both parts, that it can."""

    learner_type: type[Learner]
    codebook = EPITOME
    two_parts = load_shipped("empathy-practices")
    n_train, n_dev, n_asked = 24, 12, 6

    @pytest.fixture
    def config(self) -> Config:
        raise NotImplementedError

    def fitted(
        self,
        config: Config,
        codebook: Codebook | None = None,
        *,
        train: list[Example] | None = None,
        dev: list[Example] | None = None,
        seed: int = SEED,
    ) -> Learner:
        codebook = codebook or self.codebook
        learner = self.learner_type(model_questions(codebook), config)
        train = examples(codebook, self.n_train) if train is None else train
        dev = examples(codebook, self.n_dev, start=24) if dev is None else dev
        learner.fit(train, dev, seed=seed, report=quiet)
        return learner

    def learned(self, config: Config, codebook: Codebook | None = None) -> Learner:
        """The same for all tests that only ask it: learned once for each configuration and codebook."""
        codebook = codebook or self.codebook
        key = (self.learner_type, config, edition_hash(codebook))
        if key not in _learned:
            _learned[key] = self.fitted(config, codebook)
        return _learned[key]

    def codes_for(self, codebook: Codebook) -> list[str]:
        asked = model_questions(codebook)
        return [question.code_id for question in asked if question.answer in self.learner_type.answers]

    def test_inputs_and_options_are_those_of_its_spec(self) -> None:
        spec, config_type = learner_spec(self.learner_type.name), self.learner_type.config_type
        assert set(spec.inputs) == {str(taken) for taken in self.learner_type.inputs}
        assert spec.answers == self.learner_type.answers
        fields = {field.name: field for field in msgspec.structs.fields(config_type)}
        assert {option.name for option in spec.options} == set(fields) - {"input"}
        assert spec.inputs[0] == fields["input"].default
        for option in spec.options:
            default = fields[option.name].default
            if default is not None:
                assert type(default) is KINDS[option.kind] or isinstance(default, KINDS[option.kind])
                shown = {"yes": "True", "no": "False"}.get(option.default, option.default)
                assert str(default).removesuffix(".0") == shown

    def test_a_checkpoint_and_points_change_nothing(self, config: Config, tmp_path: Path) -> None:
        learner = self.learner_type(model_questions(self.codebook), config)
        points: list[TrainingPoint] = []
        learner.fit(
            examples(self.codebook, self.n_train),
            examples(self.codebook, self.n_dev, start=24),
            seed=SEED,
            report=quiet,
            checkpoint=Checkpoint(tmp_path, "key", seconds=0.0),
            on_point=points.append,
        )
        on = examples(self.codebook, self.n_asked, start=40)
        assert self.predicted(learner, on) == self.predicted(self.learned(config), on)
        assert [point.step for point in points] == sorted(point.step for point in points)

    def predicted(self, learner: Learner, on: list[Example]) -> tuple[ItemPrediction, ...]:
        return learner.predict(on, adapter_id="a", report=quiet)

    @pytest.mark.parametrize("name", shipped_codebooks())
    def test_it_answers_every_code_of_every_shipped_codebook(self, config: Config, name: str) -> None:
        """Every code of a kind that it can learn; where there is none, it says so."""
        codebook = load_shipped(name)
        codes = self.codes_for(codebook)
        if not codes:
            with pytest.raises(NothingAsked, match="no labelled code of the release is"):
                self.learner_type(model_questions(codebook), config)
            return
        learner = self.learned(config, codebook)
        on = examples(codebook, self.n_asked, start=40)
        predictions = self.predicted(learner, on)
        assert [each.item_id for each in predictions] == item_ids(on)
        for prediction in predictions:
            assert [code.code_id for code in prediction.codes] == codes
            assert all(sum(p for _, p in code.probabilities) == pytest.approx(1) for code in prediction.codes)
            check_item(prediction, questions_by_code(codebook))

    def test_the_same_seed_gives_the_same_predictions(self, config: Config) -> None:
        on = examples(self.codebook, self.n_asked, start=40)
        assert self.predicted(self.fitted(config), on) == self.predicted(self.learned(config), on)

    @pytest.mark.parametrize("name", ["own", "empathy-cause"])
    def test_what_was_saved_predicts_the_same(self, config: Config, name: str, tmp_path: Path) -> None:
        codebook = self.codebook if name == "own" else load_shipped(name)
        learner = self.learned(config, codebook)
        learner.save(tmp_path)
        assert {path.suffix for path in tmp_path.rglob("*") if path.is_file()} <= {".json", ".safetensors"}
        loaded = self.learner_type.load(tmp_path, model_questions(codebook))
        on = examples(codebook, self.n_asked, start=40)
        assert self.predicted(loaded, on) == self.predicted(learner, on)

    def test_the_order_and_company_of_items_change_no_answer(self, config: Config) -> None:
        learner = self.learned(config)
        on = examples(self.codebook, self.n_asked, start=40)
        forward, backward = self.predicted(learner, on), self.predicted(learner, on[::-1])
        assert [_answers(each) for each in forward] == [_answers(each) for each in backward[::-1]]

    def test_an_item_without_a_reply_is_asked_nothing_about_it(self, config: Config) -> None:
        practices = self.two_parts
        train = [example(practices, number, reply=number % 3 > 0) for number in range(self.n_train)]
        learner = self.fitted(config, practices, train=train)
        with_reply, without = self.predicted(
            learner, [example(practices, 41), example(practices, 42, reply=False)]
        )
        on_posts = {question.code_id for question in model_questions(practices) if question.part is Part.POST}
        assert {code.code_id for code in without.codes} == on_posts
        assert len(with_reply.codes) > len(on_posts)

    def test_asked_about_one_part_alone_it_says_the_same_of_it(self, config: Config) -> None:
        practices = self.two_parts
        learner = self.learned(config, practices)
        on = examples(practices, self.n_asked, start=40)
        of_part = {q.code_id: q.part for q in model_questions(practices)}
        whole = self.predicted(learner, on)
        for part in Part:
            own_codes = {code for code, of in of_part.items() if of is part}
            alone = self.predicted(learner.only(own_codes), on)
            for own, all_codes in zip(alone, whole, strict=True):
                expected = [code for code in all_codes.codes if of_part[code.code_id] is part]
                assert [code.code_id for code in own.codes] == [code.code_id for code in expected]
                for found, known in zip(own.codes, expected, strict=True):
                    assert found.value == known.value
                    assert dict(found.probabilities) == pytest.approx(dict(known.probabilities), abs=1e-5)
                    assert [(s.start, s.end) for s in found.spans] == [(s.start, s.end) for s in known.spans]
        assert self.predicted(learner, on) == whole, "the learner itself stays as it is"

    def test_it_goes_on_from_a_parent_or_says_that_it_learns_anew(
        self, config: Config, tmp_path: Path
    ) -> None:
        asked = model_questions(self.codebook)
        learner, parent = self.learner_type(asked, config), self.learned(config)
        if not learner_spec(learner.name).can_continue:
            with pytest.raises(ParentUnfit, match="always learns anew"):
                learner.begin_from(parent)
            return
        told: list[str] = []
        learner.begin_from(parent)
        train = examples(self.codebook, self.n_train, start=50)
        dev = examples(self.codebook, self.n_dev, start=24)
        learner.fit(train, dev, seed=SEED, report=told.append)
        assert "Begins from another adapter; anew: nothing" in told
        on = examples(self.codebook, self.n_asked, start=40)
        anew = self.fitted(config, train=train, dev=dev)
        assert self.predicted(learner, on) != self.predicted(anew, on)
        learner.save(tmp_path)
        assert self.predicted(self.learner_type.load(tmp_path, asked), on) == self.predicted(learner, on)

    def test_nothing_is_said_of_an_item_that_is_asked_nothing(self, config: Config) -> None:
        learner = self.learned(config)
        assert self.predicted(learner, [example(self.codebook, 42, reply=False)]) == ()

    def test_an_empty_text_and_a_very_long_one_are_answered(self, config: Config) -> None:
        learner = self.learned(config)
        empty = Example(ItemText("empty", "", "", ""))
        long = Example(ItemText("long", "", "so much rain " * 300, "and so many words. " * 300))
        predictions = self.predicted(learner, [empty, long])
        assert [each.item_id for each in predictions] == ["empty", "long"]
        n_codes = len(model_questions(self.codebook))
        assert [len(each.codes) for each in predictions] == [n_codes, n_codes]
        assert predictions[0].n_truncated == 0

    @pytest.mark.parametrize("name", ["own", "empathy-cause"])
    def test_one_answer_in_training_is_enough(self, config: Config, name: str) -> None:
        codebook = self.codebook if name == "own" else load_shipped(name)
        only = [example(codebook, 3 * number) for number in range(8)]
        learner = self.fitted(config, codebook, train=only, dev=only)
        for prediction in self.predicted(learner, examples(codebook, 4, start=40)):
            assert all(code.value == 0 for code in prediction.codes)

    def test_missing_labels_and_a_missing_validation_part_do_not_stop_it(self, config: Config) -> None:
        train = [
            replace(each, targets={code: t for code, t in each.targets.items() if (at + len(code)) % 2})
            for at, each in enumerate(examples(self.codebook, self.n_train))
        ]
        learner = self.fitted(config, train=train, dev=[])
        assert len(self.predicted(learner, examples(self.codebook, 4, start=40))) == 4

    def test_an_input_that_it_does_not_take_is_refused(self) -> None:
        for mode in set(type(self.learner_type.config_type().input)) - set(self.learner_type.inputs):
            with pytest.raises(ValueError, match="choose --input"):
                self.learner_type(model_questions(self.codebook), self.learner_type.config_type(input=mode))


def _answers(prediction: ItemPrediction) -> list[tuple[str, int]]:
    return [(code.code_id, code.value) for code in prediction.codes]
