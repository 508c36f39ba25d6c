"""What the gate learns of a candidate: whether it loads, reaches its scores again, and how it compares."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from annotation.release.manifest import file_entry
from annotation.release.read import read_manifest, read_release
from annotation.release.rows import SplitPart
from codebook.shipped import load_shipped
from learning.adapters.card import CARD, card_bytes, content_id, parse_card
from learning.adapters.folder import SEEN, SeenItems, read_seen
from learning.promotion.findings import Findings
from learning.scoring.values import Metric
from learning.tasks.contract import (
    BlindItems,
    ComparePair,
    CompareRequest,
    CompareResult,
    ExamineRequest,
    ExamineResult,
    TrainRequest,
)
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.worker.kinds import work_on
from tests.ml_backend.fixtures import made_release

EPITOME = load_shipped("epitome")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release, and folders with adapters trained on it by each of two learners."""
    home = tmp_path_factory.mktemp("home")
    release = made_release(home / "release", EPITOME, 60)
    for learner in ("majority", "tfidf-logistic"):
        folder = TaskFolder(home / "s" / learner)
        request = TrainRequest(
            release=str(release),
            release_hash=read_manifest(release).hash,
            learner=learner,
            config={},
            seed=1,
            threads=1,
        )
        folder.write_request(request)
        work_on(folder, request, ProgressWriter(folder.progress))
    return home


def adapter(home: Path, learner: str) -> Path:
    return TaskFolder(home / "s" / learner).adapter


def examined(
    home: Path, candidate: Path, incumbent: Path | None = None, blind: BlindItems | None = None
) -> Findings:
    folder = TaskFolder(home / "s" / "gate")
    folder.path.mkdir(exist_ok=True)
    request = ExamineRequest(
        candidate=str(candidate),
        incumbent=str(incumbent) if incumbent else None,
        release=str(home / "release"),
        release_hash=read_manifest(home / "release").hash,
        resamples=200,
        seed=1,
        threads=1,
        blind=blind,
    )
    result = work_on(folder, request, ProgressWriter(folder.progress))
    folder.write_result(result)
    assert folder.read_result() == result
    assert isinstance(result, ExamineResult)
    return result.findings


def test_the_first_adapter_is_compared_with_the_majority(home: Path) -> None:
    findings = examined(home, adapter(home, "tfidf-logistic"))
    assert (findings.problem, findings.opponent) == ("", None)
    assert findings.reproduced is not None
    assert (findings.reproduced.largest, findings.reproduced.n_scores > 20) == (0.0, True)
    assert findings.comparison is not None
    mean = findings.comparison.mean()
    assert mean is not None and (mean.differences[Metric.MACRO_F1].low or 0) > 0


def test_what_is_no_better_is_seen_to_be_no_better(home: Path) -> None:
    findings = examined(home, adapter(home, "majority"), adapter(home, "tfidf-logistic"))
    assert findings.comparison is not None
    mean = findings.comparison.mean()
    assert mean is not None and (mean.differences[Metric.MACRO_F1].high or 0) < 0


def test_blind_items_of_a_later_release_join_and_learned_ones_never_do(home: Path, tmp_path: Path) -> None:
    later = made_release(tmp_path / "later", EPITOME, 90)
    seen = read_seen(adapter(home, "tfidf-logistic")).all()
    new = [f"item-{number:03d}" for number in range(60, 70)]
    blind = BlindItems(str(later), read_manifest(later).hash, tuple(sorted({*new, *seen})))
    plain = examined(home, adapter(home, "tfidf-logistic"), adapter(home, "majority"))
    findings = examined(home, adapter(home, "tfidf-logistic"), adapter(home, "majority"), blind)
    assert plain.comparison is not None and findings.comparison is not None
    assert (plain.n_blind, plain.blind_release_hash) == (0, "")
    assert (findings.n_blind, findings.blind_release_hash) == (10, blind.release_hash)
    assert findings.comparison.n_items == plain.comparison.n_items + 10
    assert findings.left_out == plain.left_out
    other = made_release(tmp_path / "other", load_shipped("empathy-practices"), 90)
    elsewhere = BlindItems(str(other), read_manifest(other).hash, tuple(new))
    assert examined(home, adapter(home, "majority"), None, elsewhere).n_blind == 0


def test_an_adapter_that_was_tampered_with_is_something_found(home: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(adapter(home, "tfidf-logistic"), broken)
    (broken / "model.pkl").write_bytes(b"cos\nsystem\n.")
    findings = examined(home, broken)
    assert "It does not load" in findings.problem and "model.pkl" in findings.problem
    assert findings.comparison is None and findings.reproduced is None
    findings = examined(home, adapter(home, "majority"), broken)
    assert findings.problem == "" and findings.reproduced is not None
    assert findings.not_compared.startswith("The one in service does not load")
    assert findings.not_compared.endswith("Or retire it, then examine the candidate again.")


def test_where_no_item_is_left_the_candidate_still_loads(home: Path, tmp_path: Path) -> None:
    """A model that has learned from all items of the test part leaves none to compare on."""
    everything = tmp_path / "everything"
    shutil.copytree(adapter(home, "majority"), everything)
    items = tuple(row.item.item_id for row in read_release(home / "release").rows)
    (everything / SEEN).write_bytes(msgspec.json.encode(SeenItems(items, ())))
    card = parse_card((everything / CARD).read_bytes())
    card = msgspec.structs.replace(
        card, files=tuple(file_entry(everything, entry.path) for entry in card.files)
    )
    (everything / CARD).write_bytes(card_bytes(msgspec.structs.replace(card, id=content_id(card))))
    findings = examined(home, adapter(home, "tfidf-logistic"), everything)
    assert (findings.problem, findings.comparison) == ("", None)
    assert findings.reproduced is not None and findings.left_out.seen_by_opponent > 0
    n = findings.left_out.seen_by_opponent
    assert findings.not_compared == (
        "No item of the test part is left to compare on: freeze a release with a larger test part. "
        f"Left out: {n} that the one in service learned from."
    )


def test_a_card_that_promises_more_than_the_adapter_keeps_is_found_out(home: Path, tmp_path: Path) -> None:
    """Measures are no part of the id, so that a forged one changes nothing else."""
    forged = tmp_path / "forged"
    shutil.copytree(adapter(home, "majority"), forged)
    good = parse_card((adapter(home, "tfidf-logistic") / CARD).read_bytes())
    card = parse_card((forged / CARD).read_bytes())
    (forged / CARD).write_bytes(card_bytes(msgspec.structs.replace(card, measures=good.measures)))
    findings = examined(home, forged)
    assert findings.problem == ""
    assert findings.reproduced is not None
    assert findings.reproduced.largest is None, "the majority has no average precision, the other one has"


def test_kept_predictions_are_compared_without_any_model(home: Path) -> None:
    first, second = (
        str(TaskFolder(home / "s" / learner).measured / "test.parquet")
        for learner in ("tfidf-logistic", "majority")
    )
    request = CompareRequest(
        release=str(home / "release"),
        release_hash=read_manifest(home / "release").hash,
        part=SplitPart.TEST,
        pair=ComparePair(first, second),
        resamples=200,
        seed=1,
    )
    folder = TaskFolder(home / "s" / "compare")
    folder.path.mkdir()
    result = work_on(folder, request, ProgressWriter(folder.progress))
    assert isinstance(result, CompareResult)
    examined_too = examined(home, adapter(home, "tfidf-logistic")).comparison
    assert result.comparison == examined_too
