"""Labels the units of one shard: from texts to a file that is there whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import polars as pl

from codebook.schema import Part
from learning.adapters.card import CARD
from learning.labelling.read import LABEL_SCHEMA
from learning.labelling.staging import read_texts
from learning.labelling.work import LabelRequest, WorkFolder
from learning.predictions.long_table import long_frame
from learning.predictions.rows import ItemPrediction
from learning.predictions.soundness import check_item, questions_by_code
from ml_backend.adapters.folder import Adapter, load_adapter
from ml_backend.examples import Example
from ml_backend.learners.interface import Learner


class OtherAdapter(ValueError):
    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} holds another adapter than the run was started with. Put the right one back, or start a new run."
        )


class UnitsUnlabelled(ValueError):
    def __init__(self, shard: int, n: int) -> None:
        super().__init__(
            f"Of shard {shard} {n:,} texts came back without all labels of their part. Nothing of it was written: "
            "report this, with the learner's name."
        )


def load_requested(request: LabelRequest) -> Adapter:
    """The very adapter that was asked for: its files against their hashes, and its card against the registry's."""
    folder = Path(request.adapter_folder)
    adapter = load_adapter(folder)
    card = hashlib.sha256((folder / CARD).read_bytes()).hexdigest()
    if adapter.card.id != request.adapter_id or card != request.card_hash:
        raise OtherAdapter(folder)
    return adapter


@dataclass(frozen=True, slots=True)
class ShardLabels:
    """`content` is the Parquet file."""

    n_units: int
    content: bytes


class ShardLabeller:
    """An adapter over shards; what reads one part alone is made once."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._questions = questions_by_code(adapter.codebook)
        self._by_part: dict[Part, Learner] = {}

    def label(self, work: WorkFolder, shard: int) -> ShardLabels:
        """Raises UnitsUnlabelled."""
        part, texts = read_texts(work, shard)
        examples = [Example(text) for text in texts]
        predictions = self.predict(Part(part), examples)
        self._check(shard, Part(part), examples, predictions)
        frame = long_frame(predictions).with_columns(part=pl.lit(part)).select(list(LABEL_SCHEMA))
        written = BytesIO()
        frame.write_parquet(written, compression="zstd")
        return ShardLabels(len(texts), written.getvalue())

    def predict(self, part: Part, examples: Sequence[Example]) -> tuple[ItemPrediction, ...]:
        if part not in self._by_part:
            self._by_part[part] = self._adapter.learner.only(part)
        return self._by_part[part].predict(
            examples, adapter_id=self._adapter.card.id, report=lambda line: None
        )

    def _check(
        self, shard: int, part: Part, examples: Sequence[Example], predictions: Sequence[ItemPrediction]
    ) -> None:
        codes = [question.code_id for question in self._by_part[part].questions]
        found = {each.item_id for each in predictions if [code.code_id for code in each.codes] == codes}
        if len(predictions) != len(examples) or len(found) != len(examples):
            raise UnitsUnlabelled(shard, len(examples) - len(found))
        for prediction in predictions:
            check_item(prediction, self._questions)
