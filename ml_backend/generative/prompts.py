"""Puts instructions, demonstrations and an item's texts into a model's own chat form, and says what did not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind, Part
from ml_backend.encoder.backbone import Backbone
from ml_backend.examples import Example, Place
from ml_backend.generative.answer_form import END, asks_quotes, head, sentence_piece
from ml_backend.generative.config import PromptConfig
from ml_backend.generative.wording import instructions, number_sentences, shown_texts
from ml_backend.learners.interface import context_of


class PromptTooLong(ValueError):
    def __init__(self, code: str, room: int) -> None:
        super().__init__(
            f"What the codebook says on “{code}” does not fit into {room:,} tokens, with nothing of an item beside it. "
            "Give more by --max-tokens, or name a model that reads more."
        )


class Demonstration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A labelled item as it is shown: what is asked, and what is answered."""

    asked: str
    answer: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What of an item is shown: `end` of the judged text, or its first sentences where these are asked for."""

    context: tuple[tuple[Part, str], ...]
    end: int
    places: tuple[Place, ...]
    n_truncated: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    ids: tuple[int, ...]
    shown: Shown


class Prompting:
    """The prompts of one code."""

    def __init__(
        self,
        backbone: Backbone,
        question: ModelQuestion,
        config: PromptConfig,
        demonstrations: Sequence[Demonstration] = (),
    ) -> None:
        self.question = question
        self._tokenizer: Any = backbone.tokenizer
        self._signs = _signs(backbone.tokenizer)
        self._config = config
        self._max_tokens = min(config.max_tokens, backbone.length)
        self._told = instructions(question, evidence=config.evidence)
        self._demonstrations = tuple(demonstrations)
        self.prefix = self._prefix()

    def prompt(self, example: Example) -> Prompt:
        """The context is cut first, at its end; then, if it must be, the judged text."""
        shown = self.whole(example)
        while (
            over := len(ids := self._ids(self.prompt_text(example, shown)))
            + self._reserve(shown)
            - self._max_tokens
        ) > 0:
            shown = self.shorten(example, shown, over)
        return Prompt(ids, shown)

    def piece(self, text: str) -> tuple[int, ...]:
        """Tokens of a piece of an answer. Pieces are cut apart in training too, so that their borders are learned."""
        return tuple(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def whole(self, example: Example) -> Shown:
        text = example.text.text_of(self.question.part) or ""
        context = tuple(
            (part, words)
            for part in context_of(self.question, self._config.input)
            if (words := example.shown(part)[0])
        )
        places = example.text.sentences_of(self.question.part) if self._by_sentence else ()
        return Shown(context, len(text), places)

    def prompt_text(self, example: Example, shown: Shown) -> str:
        text = example.text.text_of(self.question.part) or ""
        title = example.text.title.strip() if self.question.part is Part.POST else ""
        judged = (
            number_sentences(text[start:end] for start, end in shown.places)
            if self._by_sentence
            else text[: shown.end]
        )
        return shown_texts(self.question.part, judged, title=title, context=shown.context)

    def shorten(self, example: Example, shown: Shown, n: int) -> Shown:
        """By so many tokens, or a few more or less: tokens at a border merge."""
        if shown.context:
            *before, (part, words) = shown.context
            kept, cut = self._without_last(words, n)
            context = (*before, *([(part, kept)] if kept else []))
            return replace(shown, context=context, n_truncated=shown.n_truncated + cut)
        text = example.text.text_of(self.question.part) or ""
        if shown.places:
            start, end = shown.places[-1]
            cut = len(self.piece(text[start:end]))
            return replace(shown, places=shown.places[:-1], n_truncated=shown.n_truncated + cut)
        if not shown.end or self._by_sentence:
            raise PromptTooLong(self.question.code_id, self._max_tokens)
        kept, cut = self._without_last(text[: shown.end], n)
        return replace(shown, end=len(kept), n_truncated=shown.n_truncated + cut)

    @property
    def answer_room(self) -> int:
        return self._config.answer_tokens

    def length(self, text: str) -> int:
        return len(self.piece(text))

    @property
    def room_left(self) -> int:
        """For an item, after what is said of every one."""
        return self._max_tokens - len(self.prefix)

    @property
    def _by_sentence(self) -> bool:
        return self.question.answer is AnswerKind.SENTENCES

    def _without_last(self, text: str, n: int) -> tuple[str, int]:
        found = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        offsets = found["offset_mapping"]
        kept = max(0, len(offsets) - n)
        end = min(int(offsets[kept - 1][1]), len(text) - 1) if kept else 0
        return text[:end].rstrip(), len(offsets) - kept

    def _reserve(self, shown: Shown) -> int:
        """Tokens for the answer."""
        if self._by_sentence:
            numbers = range(1, len(shown.places) + 1)
            return 2 + sum(len(self.piece(sentence_piece(number, True))) for number in numbers)
        if asks_quotes(self.question, evidence=self._config.evidence):
            return self._config.answer_tokens
        return 2 + max(
            len(self.piece(head(self.question, each.value) + END)) for each in self.question.values
        )

    def _ids(self, asked: str) -> tuple[int, ...]:
        told, messages = f"{self._told}\n\n", []
        for each in self._demonstrations:
            messages += [self._message("user", told + each.asked), self._message("assistant", each.answer)]
            told = ""
        messages.append(self._message("user", told + asked))
        text = self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        return self.piece(text)

    def _prefix(self) -> tuple[int, ...]:
        """The tokens with which every prompt begins, whatever the item."""
        one, other = self._ids("A"), self._ids("?")
        n = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
        return one[:n]

    def _message(self, role: str, content: str) -> dict[str, str]:
        """Signs of the chat form within a text are broken up, so that no text can speak in another's name."""
        for sign in self._signs:
            content = content.replace(sign, f"{sign[0]} {sign[1:]}")
        return {"role": role, "content": content}


def _signs(tokenizer: Any) -> list[str]:
    added = (str(token) for token in tokenizer.get_added_vocab())
    return sorted({sign for sign in (*added, *tokenizer.all_special_tokens) if len(sign) > 1})
