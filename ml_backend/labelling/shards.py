"""What a worker does: it loads the adapter once, and makes a file of labels out of each shard's file of texts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import polars as pl

from codebook.schema import Part
from learning.adapters.card import CARD
from learning.labelling.read import LABEL_SCHEMA
from learning.labelling.staging import read_texts
from learning.predictions.long_table import long_frame
from learning.predictions.rows import ItemPrediction
from learning.predictions.soundness import check_item, questions_by_code
from learning.tasks.contract import LabelRequest
from ml_backend.adapters.folder import Adapter, load_adapter
from ml_backend.examples import Example
from ml_backend.learners.interface import Learner
from ml_backend.pools.shipping import Files, pack, unpack

LOAD, LABEL_SHARD = f"{__name__}.load", f"{__name__}.label_shard"


class OtherAdapter(ValueError):
    def __init__(self, adapter_id: str) -> None:
        super().__init__(
            f"The folder of {adapter_id} holds another adapter than the run was started with. Put the right one back, "
            "or start a new run."
        )


class UnitsUnlabelled(ValueError):
    def __init__(self, n: int) -> None:
        super().__init__(
            f"{n:,} texts came back without all labels of their part. Nothing of the shard was written: report this, "
            "with the learner's name."
        )


class ShippedAdapter(msgspec.Struct, frozen=True):
    """The very adapter that was asked for: by its folder on this machine, or by its files for one that has it not."""

    adapter_id: str
    card_hash: str
    folder: str
    files: Files = {}


def adapter_by_folder(request: LabelRequest) -> bytes:
    return msgspec.msgpack.encode(
        ShippedAdapter(request.adapter_id, request.card_hash, request.adapter_folder)
    )


def adapter_by_files(request: LabelRequest) -> bytes:
    files = pack(Path(request.adapter_folder))
    return msgspec.msgpack.encode(ShippedAdapter(request.adapter_id, request.card_hash, "", files))


def load(shared: bytes) -> ShardLabeller:
    """Its files are held against their hashes, and its card against the registry's. Of what was shipped nothing stays
    on the machine."""
    shipped = msgspec.msgpack.decode(shared, type=ShippedAdapter)
    if shipped.folder:
        return ShardLabeller(_check(shipped, Path(shipped.folder)))
    with TemporaryDirectory(prefix="attune-adapter-") as name:
        return ShardLabeller(_check(shipped, unpack(shipped.files, Path(name))))


def _check(shipped: ShippedAdapter, folder: Path) -> Adapter:
    adapter = load_adapter(folder)
    card = hashlib.sha256((folder / CARD).read_bytes()).hexdigest()
    if adapter.card.id != shipped.adapter_id or card != shipped.card_hash:
        raise OtherAdapter(shipped.adapter_id)
    return adapter


def label_shard(labeller: ShardLabeller, texts: bytes) -> bytes:
    return labeller.label(texts)


class ShardLabeller:
    """An adapter over shards; what is asked of posts alone, and what of replies with their posts, is made once."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._questions = questions_by_code(adapter.codebook)
        self._codes = {
            part: {
                code.id for question, code in adapter.codebook.coded_questions() if question.once_for is part
            }
            for part in Part
        }
        self._by_part: dict[Part, Learner] = {}

    def label(self, texts: bytes) -> bytes:
        """From Parquet to Parquet. Raises UnitsUnlabelled."""
        part, items = read_texts(texts)
        examples = [Example(text) for text in items]
        predictions = self.predict(Part(part), examples)
        self._check(Part(part), examples, predictions)
        frame = long_frame(predictions).with_columns(part=pl.lit(part)).select(list(LABEL_SCHEMA))
        written = BytesIO()
        frame.write_parquet(written, compression="zstd")
        return written.getvalue()

    def predict(self, part: Part, examples: Sequence[Example]) -> tuple[ItemPrediction, ...]:
        if part not in self._by_part:
            self._by_part[part] = self._adapter.learner.only(self._codes[part])
        return self._by_part[part].predict(
            examples, adapter_id=self._adapter.card.id, report=lambda line: None
        )

    def _check(self, part: Part, examples: Sequence[Example], predictions: Sequence[ItemPrediction]) -> None:
        codes = [question.code_id for question in self._by_part[part].questions]
        found = {each.item_id for each in predictions if [code.code_id for code in each.codes] == codes}
        if len(predictions) != len(examples) or len(found) != len(examples):
            raise UnitsUnlabelled(len(examples) - len(found))
        for prediction in predictions:
            check_item(prediction, self._questions)
