"""Opens an adapter's folder: every file against its hash, and nothing that could run code."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotation.release.files import CODEBOOK
from codebook.editions import codebook_from_canonical, edition_hash
from codebook.problems import CodebookError
from codebook.questions import model_questions
from codebook.schema import Codebook
from learning.adapters.card import Card
from learning.adapters.folder import (
    AdapterBroken,
    SeenItems,
    checked_card,
    read_seen,
    refuse_pickles,
)
from ml_backend.learners.interface import Learner
from ml_backend.learners.registry import learner_type


@dataclass(frozen=True, slots=True)
class Adapter:
    card: Card
    codebook: Codebook
    seen: SeenItems
    learner: Learner


def load_adapter(folder: Path) -> Adapter:
    card = checked_card(folder)
    codebook = _codebook(folder, card)
    return Adapter(card, codebook, read_seen(folder), load_learner(folder, card.learner, codebook))


def load_learner(folder: Path, name: str, codebook: Codebook) -> Learner:
    refuse_pickles(folder)
    return learner_type(name).load(folder, model_questions(codebook))


def _codebook(folder: Path, card: Card) -> Codebook:
    try:
        codebook = codebook_from_canonical((folder / CODEBOOK).read_text(encoding="utf-8"))
    except (OSError, CodebookError) as error:
        raise AdapterBroken(folder, f"{CODEBOOK} cannot be read") from error
    if edition_hash(codebook) != card.release.edition_hash:
        raise AdapterBroken(folder, f"{CODEBOOK} is not the edition that its card names")
    return codebook
