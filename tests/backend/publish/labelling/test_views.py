"""The pages of labelling runs: what they say at each stage, and that their buttons do what they say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import cast as cast_type
from zipfile import ZipFile

import polars as pl
import pytest
from django.http import StreamingHttpResponse
from django.test import Client

from backend.design.corpora.models import Corpus
from backend.learn.models.models import Adapter
from backend.learn.models.services import promote
from backend.publish.labelling.exports import CSV_COLUMNS, label_counts
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.places import label_folder
from backend.publish.labelling.selectors import current_state, run_numbered
from corpus.sampling.designs import PpsPosts
from learning.labelling.read import scan_labels, scan_units
from tests.backend.publish.labelling.fixtures import (
    adapter_in,
    assert_whole,
    label_as_ml_backend,
    labelled_run,
    look,
    started,
)
from tests.cast import NOW, Cast
from tests.demo_corpus import draw_demo

pytestmark = pytest.mark.django_db
HERE = "/studies/kind-words/labelling"


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


@pytest.fixture
def adapter(cast: Cast, tmp_path: Path) -> Adapter:
    return adapter_in(cast.study, tmp_path / "made")


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def test_what_is_missing_is_said_first(rosa: Client, cast: Cast, tmp_path: Path) -> None:
    assert "No corpus yet" in text(rosa, HERE) and "No corpus yet" in text(rosa, f"{HERE}/start")
    cast.study.corpora.create(name="Empty", slug="empty", created_by=cast.rosa, created_at=NOW)
    assert "No model yet" in text(rosa, HERE) and "No model yet" in text(rosa, f"{HERE}/start")
    adapter_in(cast.study, tmp_path / "made")
    assert "Nothing labelled yet" in text(rosa, HERE)
    refused = rosa.post(f"{HERE}/start", {"adapter": 1, "texts": "corpus:empty", "seed": 1})
    assert "holds no texts yet" in refused.content.decode()


def test_the_model_in_service_is_offered_first(
    rosa: Client, cast: Cast, demo_corpus: Corpus, adapter: Adapter, tmp_path: Path
) -> None:
    from tests.backend.learn.models.fixtures import train

    newer = train(adapter.release, "random")
    assert newer.number == 2
    promote(adapter=adapter, report=None, override_reason="Tests", actor=cast.rosa, now=NOW)
    form = text(rosa, f"{HERE}/start")
    assert form.index("in service") < form.index(f"{newer.number}: {newer.name}")


def test_a_run_is_started_followed_paused_and_gone_on_with(
    rosa: Client, cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    asked = {
        "adapter": 1,
        "texts": "corpus:texts",
        "communities": "manners",
        "n_posts": 6,
        "seed": 3,
        "price_per_hour": "0.40",
    }
    answer = rosa.post(f"{HERE}/start", asked)
    assert (answer.status_code, answer["Location"]) == (302, f"{HERE}/1")
    run = run_numbered(cast.study, 1)
    assert (run.seed, str(run.price_per_hour)) == (3, "0.4000")
    page = text(rosa, f"{HERE}/1")
    assert "6 posts drawn at random from manners" in page and "hx-trigger" in page and "Pause" in page
    run = look(run)
    label_as_ml_backend(run, most=1)
    run = look(run)
    assert f"of {run.n_units:,} texts" in text(rosa, f"{HERE}/1/progress")
    assert "Cost per thousand" in text(rosa, f"{HERE}/1")
    again = rosa.post(f"{HERE}/start", asked)
    assert "Labelling run 1 is under way" in again.content.decode()
    rosa.post(f"{HERE}/1/pause")
    run = look(run)
    paused = text(rosa, f"{HERE}/1")
    assert "Go on" in paused and "hx-trigger" not in paused
    assert "nothing to pause" in rosa.post(f"{HERE}/1/pause", follow=True).content.decode()
    rosa.post(f"{HERE}/1/resume")
    run = look(run_numbered(cast.study, 1))
    label_as_ml_backend(run)
    run = look(run)
    assert_whole(run)
    done = text(rosa, f"{HERE}/1")
    assert "Every text is labelled" in done and run.output_hash[:8] in done and "Stop" not in done
    listed = text(rosa, HERE)
    assert "Finished" in listed and "manners" in listed


def test_a_sample_can_be_chosen_and_a_part_of_one_cannot(
    rosa: Client, cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    sample = draw_demo(demo_corpus, "Main", PpsPosts(n=4), cast.rosa)
    chosen = {"adapter": 1, "texts": f"sample:texts:{sample.pk}", "seed": 1}
    refused = rosa.post(f"{HERE}/start", {**chosen, "n_posts": 2})
    assert "A sample is labelled as it was drawn" in refused.content.decode()
    rosa.post(f"{HERE}/start", chosen)
    assert run_numbered(cast.study, 1).sample == sample
    assert "the sample “Main”" in text(rosa, f"{HERE}/1")


def test_a_failed_run_says_why_and_a_stopped_one_can_go_on(
    rosa: Client, cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    run = look(started(cast.study, demo_corpus, adapter))
    label_folder(run).write_failure("Shard 3 stopped its process 3 times.")
    look(run)
    page = text(rosa, f"{HERE}/1")
    assert "It did not work" in page and "Shard 3 stopped its process 3 times" in page and "Go on" in page
    rosa.post(f"{HERE}/1/cancel")
    assert current_state(run_numbered(cast.study, 1)) == LabellingState.CANCELLED
    assert "nothing to stop" in rosa.post(f"{HERE}/1/cancel", follow=True).content.decode()


def test_others_see_nothing(cast: Cast, demo_corpus: Corpus, adapter: Adapter) -> None:
    labelled_run(cast.study, corpus=demo_corpus, adapter=adapter)
    for person, expected in ((cast.otto, 404), (cast.amal, 403)):
        client = Client()
        client.force_login(person)
        for address in ("", "/start", "/1", "/1/progress"):
            assert client.get(HERE + address).status_code == expected
        assert client.post(f"{HERE}/1/cancel").status_code == expected
        assert client.get("/api/v1/studies/kind-words/labelling").status_code in (403, 404)
    assert LabellingRun.objects.get().state == LabellingState.FINISHED


def test_everything_can_be_done_from_a_notebook(
    rosa: Client, cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    here = "/api/v1/studies/kind-words/labelling"

    def post(address: str, **body: object) -> tuple[int, dict[str, object]]:
        answer = rosa.post(f"{here}{address}", body, content_type="application/json")
        return answer.status_code, answer.json()

    assert post("", corpus="texts")[1]["error"] == "NothingInService"
    code, made = post("", corpus="texts", adapter=1, n_posts=5, price_per_hour="1.20")
    assert (code, made["state"], made["n_labelled"]) == (202, "waiting", 0)
    assert post("/1/pause")[1]["state"] == "paused"
    assert post("/1/pause")[0] == 422
    assert post("/1/resume")[1]["state"] == "waiting"
    run = look(run_numbered(cast.study, 1))
    label_as_ml_backend(run)
    look(run)
    found = rosa.get(f"{here}/1").json()
    assert (found["state"], found["n_posts"]) == ("finished", 5) and found["cost_per_thousand"] > 0
    assert found["output_hash"] == run_numbered(cast.study, 1).output_hash
    assert [each["number"] for each in rosa.get(here).json()] == [1]
    assert post("/1/cancel")[1]["error"] == "IsOver"
    assert rosa.get(f"{here}/7").status_code == 404


def test_the_labels_of_a_finished_run_are_counted_and_can_be_taken_away(
    rosa: Client, cast: Cast, adapter: Adapter, demo_corpus: Corpus
) -> None:
    run = labelled_run(cast.study, corpus=demo_corpus, adapter=adapter)
    page = text(rosa, f"{HERE}/1")
    assert f"{HERE}/1/labels.csv" in page and f"{HERE}/1/labels.zip" in page
    assert str(run.folder) not in page
    labels = scan_labels(run.folder).collect()
    (first, *_) = label_counts(run)
    of_first = labels.filter((pl.col("code") == first.code) & (pl.col("part") == first.part))
    assert first.n == of_first.height == sum(answer.n for answer in first.answers)
    assert f"{first.name}</th>" in page

    answer = rosa.get(f"{HERE}/1/labels.csv")
    table = pl.read_csv(b"".join(pieces_of(answer)))
    assert tuple(table.columns) == CSV_COLUMNS
    assert table.height == labels.height
    assert set(table["post_id"].cast(pl.String)) == set(scan_units(run.folder).collect()["post_id"])

    answer = rosa.get(f"{HERE}/1/labels.zip")
    with ZipFile(BytesIO(b"".join(pieces_of(answer)))) as archive:
        names = archive.namelist()
        assert f"labels-kind-words-1/{run.files.manifest.name}" in names
        with archive.open("labels-kind-words-1/units.parquet") as units:
            assert units.read() == run.files.units.read_bytes()


def test_labels_of_a_run_that_is_not_finished_are_not_there(
    rosa: Client, cast: Cast, adapter: Adapter, demo_corpus: Corpus
) -> None:
    started(cast.study, demo_corpus, adapter)
    for name in ("labels.csv", "labels.zip"):
        assert rosa.get(f"{HERE}/1/{name}").status_code == 404


def pieces_of(answer: object) -> Iterator[bytes]:
    assert isinstance(answer, StreamingHttpResponse)
    return (bytes(piece) for piece in cast_type(Iterable[bytes], answer.streaming_content))


def test_labels_of_a_model_in_service_by_override_say_so(
    rosa: Client, cast: Cast, demo_corpus: Corpus, adapter: Adapter
) -> None:
    run = started(cast.study, demo_corpus, adapter)
    page = f"{HERE}/{run.number}"
    assert "never held against the promotion rule" in text(rosa, page)
    assert "put in service by hand" not in text(rosa, page)
    promote(adapter=adapter, report=None, override_reason="To try it.", actor=cast.rosa, now=NOW)
    found = text(rosa, page)
    assert "put in service by hand, against the study" in found and "To try it" in found
    assert "callout--warn" in found
