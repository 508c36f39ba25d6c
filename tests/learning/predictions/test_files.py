from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codebook.schema import Part
from codebook.shipped import load_shipped, shipped_codebooks
from learning.predictions.files import (
    PredictionsUnreadable,
    PredictionsUnwritable,
    read_predictions,
    write_predictions,
)
from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan
from tests.examples import examples
from tests.learning.predictions.predicted import prediction_lists

EPITOME = load_shipped("epitome")
FIRST, SECOND, THIRD = (code.id for _, code in EPITOME.coded_questions())
SURE = CodePrediction(FIRST, 1, ((0, 0.25), (1, 0.5), (2, 0.25)), (PredictedSpan(Part.REPLY, 2, 7, 0.75),))
ITEM = ItemPrediction("item-1", (SURE, CodePrediction(SECOND, 0)), "adapter-1", 3)


@settings(max_examples=examples(40), deadline=None)
@given(st.data(), st.sampled_from(shipped_codebooks()), st.sampled_from(["p.jsonl", "p.parquet"]))
def test_what_is_written_is_read(data: st.DataObject, name: str, file_name: str) -> None:
    codebook = load_shipped(name)
    predictions = data.draw(prediction_lists(codebook))
    with TemporaryDirectory() as folder:
        path = Path(folder) / file_name
        write_predictions(path, predictions, codebook)
        assert read_predictions(path, codebook) == predictions
        first = path.read_bytes()
        write_predictions(path, predictions, codebook)
        assert path.read_bytes() == first


@pytest.mark.parametrize("name", ["p.jsonl", "p.parquet"])
def test_ids_of_the_people_who_brought_the_texts_stand_beside_ours(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    alone = replace(ITEM, item_id="item-2")
    write_predictions(
        path, [ITEM, alone], EPITOME, own_ids={"item-1": ("sp_1", "rp_1"), "item-2": ("sp_2", None)}
    )
    assert read_predictions(path, EPITOME) == (ITEM, alone)
    frame = pl.read_ndjson(path) if path.suffix == ".jsonl" else pl.read_parquet(path)
    assert frame.columns[:3] == ["item_id", "post_id", "reply_id"]
    assert set(frame.select("item_id", "post_id", "reply_id").iter_rows()) == {
        ("item-1", "sp_1", "rp_1"),
        ("item-2", "sp_2", None),
    }


UNSOUND = {
    "no code": replace(ITEM, codes=(replace(SURE, code_id="elsewhere"),)),
    "can be 0, 1, 2": replace(ITEM, codes=(replace(SURE, value=3),)),
    "add up to 0.75": replace(ITEM, codes=(replace(SURE, probabilities=((0, 0.25), (1, 0.25), (2, 0.25))),)),
    "in this order": replace(ITEM, codes=(replace(SURE, probabilities=((1, 0.5), (0, 0.5))),)),
    "not between 0 and 1": replace(ITEM, codes=(replace(SURE, probabilities=((0, 1.5), (1, -0.5), (2, 0))),)),
    "is in the post": replace(ITEM, codes=(replace(SURE, spans=(PredictedSpan(Part.POST, 0, 1, 1.0),)),)),
    "from 3 to 3": replace(ITEM, codes=(replace(SURE, spans=(PredictedSpan(Part.REPLY, 3, 3, 1.0),)),)),
    "score 2.0": replace(ITEM, codes=(replace(SURE, spans=(PredictedSpan(Part.REPLY, 3, 4, 2.0),)),)),
    "out of the codebook's order": replace(ITEM, codes=ITEM.codes[::-1]),
    "no code is predicted": replace(ITEM, codes=()),
    "has no name": replace(ITEM, adapter_id=""),
    "count from 0": replace(ITEM, n_truncated=-1),
}


@pytest.mark.parametrize("fault", UNSOUND)
def test_the_unsound_is_refused_with_its_line_and_never_written(fault: str, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    lines = [ITEM, replace(UNSOUND[fault], item_id="item-2")]
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    with pytest.raises(PredictionsUnreadable, match=rf"line 2 \(item-2\).*{fault}"):
        read_predictions(path, EPITOME)
    other = tmp_path / "other.parquet"
    with pytest.raises(PredictionsUnwritable, match=f"item-2: .*{fault}"):
        write_predictions(other, lines, EPITOME)
    assert not other.exists()


def test_a_refused_write_leaves_the_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    write_predictions(path, [ITEM], EPITOME)
    with pytest.raises(PredictionsUnwritable):
        write_predictions(path, [ITEM, ITEM], EPITOME)
    assert read_predictions(path, EPITOME) == (ITEM,)
    assert [found.name for found in tmp_path.iterdir()] == ["p.jsonl"]


def test_marked_sentences_say_themselves_whether_the_code_is_there(tmp_path: Path) -> None:
    causes = load_shipped("empathy-cause")
    (_, code) = next(causes.coded_questions())
    with pytest.raises(PredictionsUnwritable, match="is 1 but has 0 sentences"):
        write_predictions(
            tmp_path / "p.jsonl", [ItemPrediction("a", (CodePrediction(code.id, 1),), "x")], causes
        )


def test_lines_that_are_no_predictions_are_named(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(msgspec.json.encode(ITEM) + b'\n{"item_id": 3}\n')
    with pytest.raises(PredictionsUnreadable, match=r"p\.jsonl, line 2: Expected `str`, got `int`"):
        read_predictions(path, EPITOME)
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(PredictionsUnreadable, match="line 1"):
        read_predictions(path, EPITOME)


def test_tables_that_are_no_predictions_are_named(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    write_predictions(path, [ITEM], EPITOME)
    whole = pl.read_parquet(path)
    assert whole.columns[:3] == ["item_id", "code", "value"] and whole.height == 2
    faults = {
        "“spans” is missing": whole.drop("spans"),
        "“value” is String": whole.with_columns(pl.col("value").cast(pl.String)),
        "row 1: “value” is empty": whole.with_columns(value=pl.lit(None, pl.Int64)),
        "row 2: item item-1 has another adapter": whole.with_columns(adapter=pl.Series(["a", "b"])),
        r"row 1 \(item-1\): a code is there twice": pl.concat([whole, whole]),
    }
    for fault, frame in faults.items():
        frame.write_parquet(path)
        with pytest.raises(PredictionsUnreadable, match=fault):
            read_predictions(path, EPITOME)
    path.write_bytes(b"PAR1 nothing")
    with pytest.raises(PredictionsUnreadable, match="no Parquet file"):
        read_predictions(path, EPITOME)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PredictionsUnreadable, match=r"\.jsonl or \.parquet"):
        read_predictions(tmp_path / "p.csv", EPITOME)
    with pytest.raises(PredictionsUnwritable, match=r"\.jsonl or \.parquet"):
        write_predictions(tmp_path / "p.csv", [ITEM], EPITOME)
    with pytest.raises(PredictionsUnreadable, match="cannot be read"):
        read_predictions(tmp_path / "p.jsonl", EPITOME)
