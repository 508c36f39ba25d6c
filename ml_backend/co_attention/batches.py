"""Prepared examples put together for the network, for one judged part at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from codebook.questions import ModelQuestion
from codebook.schema import Part
from ml_backend.co_attention.network import Batch, CoAttentionNetwork, Networks
from ml_backend.co_attention.preparing import Prepared, SentenceList
from ml_backend.co_attention.sentence_encoder import SentenceEncoder
from ml_backend.learners.scores import Scores

ITEMS_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class PartBatch:
    """Examples that have sentences to judge in one part, for the codes that ask about it."""

    examples: list[Prepared]
    codes: list[str]
    batch: Batch


def part_batches(
    encoder: SentenceEncoder,
    sentences: SentenceList,
    questions: Sequence[ModelQuestion],
    examples: Sequence[Prepared],
) -> list[PartBatch]:
    found = []
    for part in Part:
        codes = [question.code_id for question in questions if question.part is part]
        own = [each for each in examples if part in each.rows]
        if codes and own:
            found.append(PartBatch(own, codes, _batch(own, part, encoder, sentences)))
    return found


def logits_of(
    network: CoAttentionNetwork | Networks, batches: Sequence[PartBatch]
) -> dict[str, tuple[list[Prepared], Tensor]]:
    """By code the examples, and a row of logits for each, padded at the end."""
    return {
        code: (each.examples, logits)
        for each in batches
        for code, logits in network(each.batch, each.codes).items()
    }


def _batch(
    examples: Sequence[Prepared], part: Part, encoder: SentenceEncoder, sentences: SentenceList
) -> Batch:
    other = Part.REPLY if part is Part.POST else Part.POST
    lists = [each.sentences[part] for each in examples]
    lists += [each.sentences.get(other, ()) for each in examples]
    vectors = sentences.rows_of([place for several in lists for place in several], encoder)
    n = len(examples)
    pieces = torch.split(vectors, [len(each) for each in lists])
    own, is_own = _pad(pieces[:n])
    others, is_other = _pad(pieces[n:])
    rows, _ = _pad([each.rows[part] for each in examples])
    return Batch(own, is_own, others, is_other, rows)


def _pad(rows: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """At least one place wide, so that there is something to look at where nothing is."""
    width = max(1, *(len(each) for each in rows)) if rows else 1
    found = rows[0].new_zeros((len(rows), width, rows[0].shape[1]))
    is_there = torch.zeros((len(rows), width), dtype=torch.bool)
    for at, each in enumerate(rows):
        found[at, : len(each)] = each
        is_there[at, : len(each)] = True
    return found, is_there


def scores_of(
    network: Networks,
    encoder: SentenceEncoder,
    sentences: SentenceList,
    questions: Sequence[ModelQuestion],
    prepared: Sequence[Prepared],
) -> list[dict[str, Scores]]:
    """Raw, in the order of the examples: like lengths go through the network together."""
    network.eval()
    found = [_without_sentences(each, questions) for each in prepared]
    order = sorted(range(len(prepared)), key=lambda at: sum(map(len, prepared[at].sentences.values())))
    at_of = {id(each): at for at, each in enumerate(prepared)}
    with torch.inference_mode():
        for first in range(0, len(order), ITEMS_AT_ONCE):
            batch = [prepared[at] for at in order[first : first + ITEMS_AT_ONCE]]
            said = logits_of(network, part_batches(encoder, sentences, questions, batch))
            for question in questions:
                for each, row in zip(*said.get(question.code_id, ((), ())), strict=True):
                    places = each.example.text.sentences_of(question.part)
                    marks = row[: len(places)].double().numpy()
                    found[at_of[id(each)]][question.code_id] = Scores(np.zeros(0), places, marks)
    return found


def _without_sentences(each: Prepared, questions: Sequence[ModelQuestion]) -> dict[str, Scores]:
    """An empty text is asked all the same."""
    asked = [question for question in questions if each.example.asks(question)]
    return {question.code_id: Scores(np.zeros(0), (), np.zeros(0)) for question in asked}


def gold_of(examples: Sequence[Prepared], code: str, logits: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Logits, labels and weights of all sentences with a known answer, one after the other."""
    labelled = [(row, each.marked[code]) for row, each in enumerate(examples) if code in each.marked]
    gold = [marked for _, (marked, _) in labelled]
    weights = [torch.full_like(marked, weight) for _, (marked, weight) in labelled]
    found = [logits[row, : len(marked)] for row, (marked, _) in labelled]
    if not found:
        empty = logits.new_zeros(0)
        return empty, empty, empty
    return torch.cat(found), torch.cat(gold), torch.cat(weights)


def shares_of(examples: Sequence[Prepared], questions: Sequence[ModelQuestion]) -> Mapping[str, float]:
    """How many of a code's sentences are marked, never none and never all."""
    found = {}
    for question in questions:
        marks = [each.marked[question.code_id][0] for each in examples if question.code_id in each.marked]
        counts = torch.cat(marks) if marks else torch.zeros(0)
        found[question.code_id] = (float(counts.sum()) + 0.5) / (len(counts) + 1)
    return found
