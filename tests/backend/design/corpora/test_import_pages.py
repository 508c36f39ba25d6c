"""A table of pairs comes in only after its rows were seen, and can be taken out again."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from backend.core.jobs.models import Job
from backend.design.corpora import services
from backend.design.corpora.errors import CorpusBusy, ImportInUse
from backend.design.corpora.files import files_folder
from backend.design.corpora.forms import IMPORT_FORMS
from backend.design.corpora.import_requests import PairsImport
from backend.design.corpora.models import Corpus
from backend.design.samples.requests import DrawRequest, enqueue_draw
from corpus.errors import UnknownImport
from corpus.progress import ignore_progress
from corpus.sampling.designs import UniformPairs
from tests.cast import NOW, Cast
from tests.demo_corpus import draw_demo

TABLE = "id,asked,answered\np1,My plant died.,I am so sorry.\np2,I start on Monday.,Good luck then!\n"
MAPPING = {
    "file": "pairs.csv",
    "community": "plants",
    "post_text_column": "asked",
    "reply_text_column": "answered",
}


@pytest.fixture
def corpus(cast: Cast, tmp_path: Path, settings: Settings) -> Corpus:
    settings.CORPORA_DIR, settings.FILES_DIR = tmp_path / "corpora", tmp_path / "files"
    files_folder(cast.study).mkdir(parents=True)
    (files_folder(cast.study) / "pairs.csv").write_text(TABLE)
    return services.create_corpus(study=cast.study, name="Texts", description="", actor=cast.rosa, now=NOW)


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


def address(corpus: Corpus, file: str = "pairs.csv") -> str:
    where = reverse("corpora:start_import", args=[corpus.study.slug, corpus.slug, "pairs"])
    return f"{where}?file={file}"


def bring_in(corpus: Corpus, cast: Cast, columns: dict[str, str] | None = None) -> services.ImportOutcome:
    return services.import_into(
        corpus=corpus,
        request=PairsImport.model_validate(MAPPING | (columns or {})),
        resolve=files_folder(cast.study).joinpath,
        actor=cast.rosa,
        clock=timezone.now,
        on_progress=ignore_progress,
    )


def test_columns_that_are_not_sure_are_left_open(rosa: Client, cast: Cast, corpus: Corpus) -> None:
    (files_folder(cast.study) / "odd.csv").write_text("nr,a,b\n1,Two words,Three more words\n")
    form = rosa.get(address(corpus, "odd.csv")).context["form"]
    assert (form["post_text_column"].value(), form["reply_text_column"].value()) == ("", "")
    form = rosa.get(address(corpus)).context["form"]
    assert (form["post_text_column"].value(), form["reply_text_column"].value()) == ("asked", "answered")


def test_an_import_starts_only_after_its_rows_were_seen(rosa: Client, corpus: Corpus) -> None:
    answer = rosa.post(address(corpus), MAPPING)
    assert "My plant died." in answer.content.decode()
    assert answer.context["preview"].warnings == []
    mark = answer.context["preview"].mark
    other = rosa.post(address(corpus), MAPPING | {"reply_text_column": "id", "seen": mark})
    assert "single word" in other.content.decode()
    assert not Job.objects.filter(kind=services.IMPORT_CORPUS).exists()
    rosa.post(address(corpus), MAPPING | {"seen": mark})
    assert Job.objects.filter(kind=services.IMPORT_CORPUS).count() == 1


def test_a_row_that_cannot_be_read_is_named_before_any_job(rosa: Client, corpus: Corpus) -> None:
    page = rosa.post(address(corpus), MAPPING | {"post_created_column": "asked"}).content.decode()
    assert "row 1" in page
    assert "is not a time" in page
    assert not Job.objects.exists()


def test_every_road_says_when_texts_look_like_ids(cast: Cast, corpus: Corpus) -> None:
    outcome = bring_in(corpus, cast, {"post_text_column": "id", "reply_text_column": "id"})
    assert "single word" in outcome.summary
    assert "read as the post’s text and as the reply’s text" in outcome.summary


def test_one_import_can_be_undone_and_done_again(rosa: Client, cast: Cast, corpus: Corpus) -> None:
    bring_in(corpus, cast)
    bring_in(corpus, cast, {"community": "others"})
    (first, second) = corpus.store.imports()
    page = reverse("corpora:detail", args=[cast.study.slug, corpus.slug])
    undo = reverse("corpora:undo_import", args=[cast.study.slug, corpus.slug, first.id])
    assert undo in rosa.get(page).content.decode()
    assert "is undone" in rosa.post(undo, follow=True).content.decode()
    assert corpus.store.communities() == ["others"]
    assert [record.id for record in corpus.store.imports()] == [second.id]
    assert not corpus.store.import_path(first.id).exists()
    assert not bring_in(corpus, cast).already_imported
    assert corpus.store.communities() == ["others", "plants"]
    with pytest.raises(UnknownImport):
        services.undo_import(corpus=corpus, import_id="gone", actor=cast.rosa, now=NOW)


def test_an_import_that_a_sample_came_from_is_not_undone(cast: Cast, corpus: Corpus) -> None:
    bring_in(corpus, cast)
    draw_demo(corpus, "Pairs", UniformPairs(n=2), cast.rosa)
    with pytest.raises(ImportInUse, match="the sample “Pairs”"):
        services.undo_import(corpus=corpus, import_id=corpus.store.imports()[0].id, actor=cast.rosa, now=NOW)
    assert corpus.store.communities() == ["plants"]


def test_an_import_is_not_undone_while_a_sample_is_being_drawn(cast: Cast, corpus: Corpus) -> None:
    bring_in(corpus, cast)
    asked = DrawRequest.model_validate(
        {"name": "Pairs", "corpus": corpus.slug, "kind": "uniform_pairs", "n": 1, "seed": 1}
    )
    enqueue_draw(study=cast.study, request=asked, actor=cast.rosa, now=NOW)
    with pytest.raises(CorpusBusy, match="A sample is being drawn from “Texts”"):
        services.undo_import(corpus=corpus, import_id=corpus.store.imports()[0].id, actor=cast.rosa, now=NOW)
    with pytest.raises(CorpusBusy):
        services.delete_corpus(corpus=corpus, actor=cast.rosa, now=NOW)
    assert corpus.store.communities() == ["plants"]
    Job.objects.all().delete()
    services.undo_import(corpus=corpus, import_id=corpus.store.imports()[0].id, actor=cast.rosa, now=NOW)
    assert corpus.store.communities() == []


@pytest.mark.parametrize("kind", sorted(IMPORT_FORMS))
def test_nobody_elses_study_stands_in_the_forms(rosa: Client, corpus: Corpus, kind: str) -> None:
    where = reverse("corpora:start_import", args=[corpus.study.slug, corpus.slug, kind])
    page = rosa.get(f"{where}?file=pairs.csv").content.decode()
    assert "2023" not in page and "empathy study" not in page.casefold()
    if "cutoff" in page:
        assert 'name="cutoff"' in page and not rosa.get(where).context["form"]["cutoff"].value()


def test_an_import_has_one_place_to_upload_a_file(rosa: Client, corpus: Corpus) -> None:
    upload = '<input type="file"'
    assert rosa.get(address(corpus)).content.decode().count(upload) == 1
    (files_folder(corpus.study) / "pairs.csv").unlink()
    page = rosa.get(address(corpus).partition("?")[0]).content.decode()
    assert (page.count(upload), "First, a file" in page, "Upload a file" in page) == (1, True, False)
