"""Asks a model about items, one code at a time: how likely it thinks each answer, and which words it quotes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from codebook.schema import AnswerKind
from learning.copied_quotes import matched_quotes
from learning.predictions.rows import CodePrediction, PredictedSpan
from ml_backend.encoder.backbone import Backbone
from ml_backend.examples import Example
from ml_backend.generative.answer_form import (
    QUOTES,
    NotTheForm,
    asks_quotes,
    head,
    is_whole,
    read_quotes,
    sentence_piece,
)
from ml_backend.generative.config import PromptConfig
from ml_backend.generative.prompts import Prompt, Prompting
from ml_backend.generative.reading import Reading
from ml_backend.generative.single_sentences import asks_by_sentence, single_sentences
from ml_backend.learners.interface import Report
from ml_backend.learners.scores import Numbers, Rule, Scores, code_prediction

# What is added to the logit of an answer that no training label gave.
NEVER = -100.0


@dataclass
class Tally:
    """What has to be told about a model's answers; `truncated` by item, the most tokens that a prompt left out."""

    asked_for_quotes: int = 0
    not_json: int = 0
    quotes: int = 0
    inexact: int = 0
    invented: int = 0
    truncated: dict[str, int] = field(default_factory=dict)

    def note_truncated(self, item_id: str, n: int) -> None:
        self.truncated[item_id] = max(n, self.truncated.get(item_id, 0))

    def tell(self, report: Report, n_items: int) -> None:
        cut = [n for n in self.truncated.values() if n]
        if cut:
            report(
                f"Texts cut in {len(cut):,} of {n_items:,} items, at most {max(cut):,} tokens of one, "
                "the context first: try --max-tokens"
            )
        if self.asked_for_quotes:
            report(
                f"Quotes: {self.quotes:,} in {self.asked_for_quotes:,} answers, {self.inexact:,} copied with small "
                f"errors, {self.invented:,} invented and left out"
            )
        if self.not_json:
            report(
                f"Answers that were no valid JSON: {self.not_json:,} of {self.asked_for_quotes:,}; "
                "the likeliest answer stands, without quotes"
            )


class Asking:
    """Of one code; `seen` are the answers that training labels gave, of which alone one is said."""

    def __init__(
        self,
        backbone: Backbone,
        prompting: Prompting,
        config: PromptConfig,
        seen: Sequence[int],
        tally: Tally,
    ) -> None:
        self.question = prompting.question
        self._prompting = prompting
        self._config = config
        self._tokenizer = backbone.tokenizer
        self._ends = _ends(backbone)
        self._seen = frozenset(seen)
        self._tally = tally
        self._model = backbone.model
        self._after_prefix = Reading(backbone.model)
        self._after_prefix.read(prompting.prefix)
        self._start = self._after_prefix.here

    def scores(self, example: Example) -> Scores:
        if asks_by_sentence(self._config, self.question):
            return self._sentence_by_sentence(example)
        prompt, reading = self._read(example)
        self._tally.note_truncated(example.item_id, prompt.shown.n_truncated)
        return self._scores(example, prompt, reading)

    def _sentence_by_sentence(self, example: Example) -> Scores:
        """One that did not fit was not found."""
        marks: list[float] = []
        for each in single_sentences(example, self.question):
            prompt, reading = self._read(each)
            self._tally.note_truncated(example.item_id, prompt.shown.n_truncated)
            found = self._of_sentences(each, prompt, reading).marks
            marks += [] if found is None else found.tolist()
        return Scores(np.zeros(0), example.text.sentences_of(self.question.part), np.array(marks))

    def prediction(self, example: Example, rule: Rule) -> CodePrediction:
        """The answer by its likelihood; then, if it has to show words, the model says which."""
        if self.question.answer is AnswerKind.SENTENCES:
            return code_prediction(self.question, self.scores(example), rule)
        prompt, reading = self._read(example)
        self._tally.note_truncated(example.item_id, prompt.shown.n_truncated)
        answer = code_prediction(self.question, self._scores(example, prompt, reading), rule)
        chosen = next(each for each in self.question.values if each.value == answer.value)
        if not (chosen.wants_evidence and asks_quotes(self.question, evidence=self._config.evidence)):
            return answer
        text = (example.text.text_of(self.question.part) or "")[: prompt.shown.end]
        return replace(answer, spans=self._find_quotes(text, answer.value, reading))

    def _read(self, example: Example) -> tuple[Prompt, Reading]:
        """Only what is new: the instructions were read for all items together."""
        prompt = self._prompting.prompt(example)
        n = len(self._prompting.prefix)
        if prompt.ids[:n] == self._prompting.prefix:
            reading = self._after_prefix
            reading.back_to(self._start)
        else:
            reading, n = Reading(self._model), 0
        reading.read(prompt.ids[n:])
        return prompt, reading

    def _scores(self, example: Example, prompt: Prompt, reading: Reading) -> Scores:
        if self.question.answer is AnswerKind.SENTENCES:
            return self._of_sentences(example, prompt, reading)
        likelihoods = [
            reading.likelihood(self._prompting.piece(head(self.question, each.value)))
            for each in self.question.values
        ]
        never = [0.0 if each.value in self._seen else NEVER for each in self.question.values]
        return Scores(np.array(likelihoods) + never)

    def _of_sentences(self, example: Example, prompt: Prompt, reading: Reading) -> Scores:
        """One after the other, each after what was said of those before; one that did not fit was not found."""
        places = example.text.sentences_of(self.question.part)
        marks: Numbers = np.full(len(places), NEVER)
        for at in range(len(prompt.shown.places)):
            no, yes = (self._prompting.piece(sentence_piece(at + 1, each)) for each in (False, True))
            marks[at] = reading.likelihood(yes) - reading.likelihood(no) + self._yes_share()
            reading.read(yes if marks[at] >= 0 else no)
        return Scores(np.zeros(0), places, marks)

    def _yes_share(self) -> float:
        return sum(lean for value, lean in ((1, NEVER), (0, -NEVER)) if value not in self._seen)

    def _find_quotes(self, text: str, value: int, reading: Reading) -> tuple[PredictedSpan, ...]:
        start = head(self.question, value)
        forced = (*self._prompting.piece(start), *self._prompting.piece(QUOTES))
        reading.read(forced)
        ids, sureness = reading.go_on(
            most=self._config.answer_tokens - len(forced),
            ends=self._ends,
            is_whole=lambda ids: is_whole(start + QUOTES + self._text(ids)),
        )
        self._tally.asked_for_quotes += 1
        try:
            quotes = read_quotes(self.question, value, start + QUOTES + self._text(ids))
        except NotTheForm:
            self._tally.not_json += 1
            return ()
        found = matched_quotes(text, quotes)
        self._tally.quotes += len(quotes)
        self._tally.inexact += found.inexact
        self._tally.invented += found.invented
        part = self.question.part
        return tuple(PredictedSpan(part, start, end, min(1.0, sureness)) for start, end in found.places)

    def _text(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True))


def _ends(backbone: Backbone) -> frozenset[int]:
    """Tokens after which a model says nothing more: some have several."""
    told = getattr(backbone.model.generation_config, "eos_token_id", None)
    more = told if isinstance(told, list) else [told]
    return frozenset(int(each) for each in (backbone.tokenizer.eos_token_id, *more) if each is not None)
