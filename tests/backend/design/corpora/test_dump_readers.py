"""Every reader of dumps can be used in the browser, in calls and as a command, and the docs name it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pydantic import ValidationError
from pytest_django.fixtures import Settings

from backend.design.corpora import services
from backend.design.corpora.files import files_folder
from backend.design.corpora.forms import IMPORT_FORMS
from backend.design.corpora.import_requests import DUMP_IMPORTS, ImportJob, dump_import
from corpus.registry import Reader, readers
from tests.cast import NOW, Cast

DOCS = Path(__file__).resolve().parents[4] / "docs" / "import.md"
READERS = list(readers().values())


def given(reader: Reader) -> dict[str, object]:
    """A value for every option."""
    values = {"file": "dump.txt", "files": ["dump.txt"], "text": "somewhere", "names": ["one"]}
    return {option.name: values[option.takes] for option in reader.options}


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.kind)
class TestEveryReader:
    def test_the_docs_name_its_function(self, reader: Reader) -> None:
        assert f"`{reader.read.__module__}.{reader.read.__name__}`" in DOCS.read_text()

    def test_its_kind_is_a_word_for_addresses_and_it_explains_itself(self, reader: Reader) -> None:
        assert re.fullmatch(r"[a-z]+", reader.kind) and reader.label and reader.about.endswith(".")
        assert all(option.label and option.help for option in reader.options)
        assert any(option.takes in ("file", "files") and option.is_required for option in reader.options)

    def test_a_call_asks_for_its_options_and_comes_back_from_a_job_row(self, reader: Reader) -> None:
        request = dump_import(reader.kind, **given(reader))
        job = ImportJob(corpus=1, actor=1, request=request)
        again = ImportJob.model_validate(job.model_dump(mode="json"))
        assert again.request == request and type(again.request) is DUMP_IMPORTS[reader.kind]
        assert set(request.file_names()) == {"dump.txt"}
        assert set(request.arguments(Path)) == {option.name for option in reader.options}
        with pytest.raises(ValidationError):
            dump_import(reader.kind)

    def test_the_page_offers_it_and_its_form_asks_the_same(
        self, reader: Reader, cast: Cast, tmp_path: Path, settings: Settings
    ) -> None:
        settings.CORPORA_DIR, settings.FILES_DIR = tmp_path / "corpora", tmp_path / "files"
        files_folder(cast.study).mkdir(parents=True)
        (files_folder(cast.study) / "dump.txt").write_text("{}\n")
        corpus = services.create_corpus(
            study=cast.study, name="Texts", description="", actor=cast.rosa, now=NOW
        )
        client = Client()
        client.force_login(cast.rosa)
        address = reverse("corpora:start_import", args=[cast.study.slug, corpus.slug, reader.kind])
        page = client.get(address).content.decode()
        assert f"{reader.label} dump" in page and reader.about in page
        assert all(f'name="{option.name}"' in page for option in reader.options)
        filled = {
            name: ",".join(value) if value == ["one"] else value for name, value in given(reader).items()
        }
        form = IMPORT_FORMS[reader.kind](filled, files=["dump.txt"], table=None)
        assert form.is_valid(), form.errors
        assert form.import_request() == dump_import(reader.kind, **given(reader))

    def test_the_command_has_its_options(self, reader: Reader, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            call_command("import_dump", reader.kind, "--help")
        said = capsys.readouterr().out
        assert all(f"--{option.name.replace('_', '-')}" in said for option in reader.options)
        with pytest.raises(CommandError, match="required"):
            call_command("import_dump", reader.kind, "study", "Corpus")
