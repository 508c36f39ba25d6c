"""Micromodels and their curves as files: seeds and curves as JSON, the seeds' vectors as safetensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from codebook.questions import ModelQuestion
from learning.additive_curves import AdditiveModel
from learning.micromodels import (
    MICROMODELS,
    CodeMicromodels,
    Groups,
    read_micromodels,
    write_micromodels,
)
from ml_backend.learners.interface import WeightsUnreadable
from ml_backend.micromodels.bank import Micromodel
from ml_backend.micromodels.features import Features
from ml_backend.micromodels.reading import Vectors
from ml_backend.micromodels.seeds import Seed

VECTORS = "seeds.safetensors"
ByCode = dict[str, tuple[Micromodel, ...]]


def write_models(folder: Path, features: Mapping[str, Features], models: Mapping[str, AdditiveModel]) -> None:
    vectors: dict[str, Vectors] = {}
    found: dict[str, CodeMicromodels] = {}
    for code, own in features.items():
        groups = tuple(tuple(seed.text for seed in each.seeds) for each in own.micromodels)
        vectors[code] = np.vstack([each.vectors for each in own.micromodels])
        found[code] = CodeMicromodels(groups, models[code])
    write_micromodels(folder, found)
    save_file(vectors, folder / VECTORS)


def read_models(folder: Path, questions: Sequence[ModelQuestion]) -> tuple[ByCode, dict[str, AdditiveModel]]:
    """Of those questions that were learned. Raises WeightsUnreadable."""
    try:
        found, vectors = read_micromodels(folder), load_file(folder / VECTORS)
        micromodels = {
            each.code_id: _micromodels(each, found[each.code_id].groups, vectors[each.code_id])
            for each in questions
            if each.code_id in found
        }
    except (OSError, KeyError, ValueError, msgspec.DecodeError, SafetensorError) as error:
        raise WeightsUnreadable(folder / MICROMODELS) from error
    return micromodels, {code: each.model for code, each in found.items()}


def _micromodels(question: ModelQuestion, groups: Groups, vectors: Vectors) -> tuple[Micromodel, ...]:
    """In which item a seed was marked is not kept: only training asks."""
    ends = np.cumsum([len(group) for group in groups])
    parts = zip(groups, np.split(vectors, ends[:-1]), strict=True)
    if len(vectors) != ends[-1]:
        raise ValueError("a vector for each seed")
    return tuple(
        Micromodel(question.code_id, question.part, tuple(Seed(text, frozenset()) for text in group), own)
        for group, own in parts
    )
