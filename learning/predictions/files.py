"""Predictions on disk, as JSON lines or Parquet by the name's ending: whole or not at all, and checked on reading."""

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path

import msgspec

from annotation.release.rows import SplitPart
from codebook.schema import Codebook
from corpus.atomic_files import replace_file
from learning.predictions.rows import ItemPrediction
from learning.predictions.soundness import PredictionUnsound, Questions, check_item, questions_by_code

JSONL, PARQUET = ".jsonl", ".parquet"
OWN_IDS = ("post_id", "reply_id")


class PredictionsUnreadable(ValueError):
    """A file that holds no sound predictions; the message names the line or row and what to do."""


class PredictionsUnwritable(ValueError):
    """Predictions that nobody could read back; nothing was written."""


OwnIds = Mapping[str, tuple[str, str | None]]


def write_predictions(
    path: Path, predictions: Sequence[ItemPrediction], codebook: Codebook, *, own_ids: OwnIds | None = None
) -> None:
    """Checked first, so that what is written can be read; the same predictions give the same bytes.

    `own_ids` has, by item, the ids of its post and reply as the people who brought the texts know them; they are
    written beside the item's.
    """
    if path.suffix not in (JSONL, PARQUET):
        raise PredictionsUnwritable(_wrong_ending(path))
    questions = questions_by_code(codebook)
    seen: set[str] = set()
    for prediction in predictions:
        try:
            _check(prediction, questions, seen)
        except PredictionUnsound as error:
            raise PredictionsUnwritable(f"Item {prediction.item_id}: {error}.") from error
    written = _as_lines(predictions, own_ids) if path.suffix == JSONL else _as_parquet(predictions, own_ids)
    replace_file(path, written)


def read_predictions(path: Path, codebook: Codebook) -> tuple[ItemPrediction, ...]:
    """In the order of the file. Raises PredictionsUnreadable."""
    if path.suffix not in (JSONL, PARQUET):
        raise PredictionsUnreadable(_wrong_ending(path))
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PredictionsUnreadable(f"{path} cannot be read: {error.strerror}. Check the path.") from error
    questions = questions_by_code(codebook)
    seen: set[str] = set()
    found = []
    for place, prediction in (
        _from_lines(path, content) if path.suffix == JSONL else _from_parquet(path, content)
    ):
        try:
            _check(prediction, questions, seen)
        except PredictionUnsound as error:
            raise PredictionsUnreadable(f"{path.name}, {place} ({prediction.item_id}): {error}.") from error
        found.append(prediction)
    return tuple(found)


def _check(prediction: ItemPrediction, questions: Questions, seen: set[str]) -> None:
    if prediction.item_id in seen:
        raise PredictionUnsound("the item is there twice; keep one prediction of one adapter for each")
    seen.add(prediction.item_id)
    check_item(prediction, questions)


def _as_lines(predictions: Sequence[ItemPrediction], own_ids: OwnIds | None) -> bytes:
    return b"".join(msgspec.json.encode(_line(prediction, own_ids)) + b"\n" for prediction in predictions)


def _line(prediction: ItemPrediction, own_ids: OwnIds | None) -> ItemPrediction | dict[str, object]:
    if own_ids is None:
        return prediction
    post_id, reply_id = own_ids[prediction.item_id]
    fields: dict[str, object] = msgspec.to_builtins(prediction)
    return {"item_id": fields.pop("item_id"), "post_id": post_id, "reply_id": reply_id, **fields}


def _from_lines(path: Path, content: bytes) -> Iterator[tuple[str, ItemPrediction]]:
    decoder = msgspec.json.Decoder(ItemPrediction)
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            prediction = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise PredictionsUnreadable(f"{path.name}, line {number}: {error}. Predict again.") from error
        yield f"line {number}", prediction


def _as_parquet(predictions: Sequence[ItemPrediction], own_ids: OwnIds | None) -> bytes:
    import polars as pl  # takes long to load, and most who name this module write no Parquet

    from learning.predictions.long_table import long_frame

    written = BytesIO()
    frame = long_frame(predictions)
    if own_ids is not None:
        ids = [own_ids[item_id] for item_id in frame["item_id"]]
        own = [
            pl.Series(name, [pair[at] for pair in ids], dtype=pl.String) for at, name in enumerate(OWN_IDS)
        ]
        frame = frame.select("item_id", *own, pl.exclude("item_id"))
    frame.write_parquet(written, compression="zstd", statistics=False)
    return written.getvalue()


def _from_parquet(path: Path, content: bytes) -> Iterator[tuple[str, ItemPrediction]]:
    import polars as pl
    from polars.exceptions import PolarsError

    from learning.predictions.long_table import TableUnsound, predictions_in

    try:
        for number, prediction in predictions_in(pl.read_parquet(BytesIO(content))):
            yield f"row {number}", prediction
    except PolarsError as error:
        raise PredictionsUnreadable(f"{path.name} is no Parquet file: {error}. Predict again.") from error
    except TableUnsound as error:
        raise PredictionsUnreadable(f"{path.name}, {error}.") from error


def _wrong_ending(path: Path) -> str:
    return f"{path.name}: predictions are {JSONL} or {PARQUET} files; name it so."


def measured_folder(adapter: Path) -> Path:
    """Beside the adapter's folder: inside, everything is part of what its id names."""
    return adapter.with_name(f"{adapter.name}.measured")


def predictions_file(part: SplitPart) -> str:
    return f"{part.value}{PARQUET}"
