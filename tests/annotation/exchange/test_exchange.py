"""What other tools read is what was frozen: texts, labels, and highlights at the same words."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from cassis import load_cas_from_xmi, load_typesystem
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.exchange.documents import Document, Mark, NoTexts, documents
from annotation.exchange.registry import FORMATS, export_files, zip_files
from annotation.exchange.uima_cas import HIGHLIGHT, LABEL, attune_types, xmi
from annotation.label_studio.decoding.decode import decode_results
from annotation.label_studio.task_data import item_of
from annotation.release.files import write_release
from annotation.release.read import read_release
from codebook.schema import Part
from tests.annotation.release.fixtures import POST, REPLY, small_release

FIRST = "item-000"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exchange") / "release"
    write_release(folder, small_release(n=8, with_texts=True))
    return folder


def files_of(folder: Path, name: str) -> dict[str, str]:
    return {file: content.decode() for file, content in export_files(folder, name)}


def test_a_document_is_title_post_and_reply_and_its_marks_are_at_their_words(folder: Path) -> None:
    found = {each.name: each for each in documents(read_release(folder).rows)}[FIRST]
    assert found.text == f"A title\n\n{POST}\n\n{REPLY}"
    (mark,) = found.marks
    assert (mark.code, found.text[mark.start : mark.end]) == ("asking-advice", POST[2:8])
    assert found.labels["asking-advice"] == 1 and set(found.labels.values()) == {0, 1}


def test_brat_finds_the_words_where_the_standoff_says(folder: Path) -> None:
    files = files_of(folder, "brat")
    assert "asking-advice" in files["annotation.conf"].splitlines()
    number, place, words = files[f"{FIRST}.ann"].rstrip("\n").split("\t")
    code, start, end = place.split(" ")
    assert (number, code, words) == ("T1", "asking-advice", POST[2:8])
    assert files[f"{FIRST}.txt"][int(start) : int(end)] == words
    assert files["item-001.ann"] == ""
    header, first = files["labels.csv"].splitlines()[:2]
    assert dict(zip(header.split(","), first.split(","), strict=True))["asking-advice"] in ("0", "1")


def test_conll_has_a_column_for_each_code(folder: Path) -> None:
    files = files_of(folder, "conll")
    assert set(files) <= {"train.conll", "validation.conll", "test.conll"}
    lines = "".join(files.values()).splitlines()
    columns = next(line for line in lines if line.startswith("# columns")).split(" = ")[1].split()
    rows = [line.split("\t") for line in lines if line and not line.startswith("# ")]
    assert {len(row) for row in rows} == {len(columns)}
    at = columns.index("asking-advice")
    assert {row[at] for row in rows} == {"O", "B-asking-advice", "I-asking-advice"}
    assert sum(row[at].startswith("B-") for row in rows) == 2  # of eight items every fourth asks for advice


def test_label_studio_reads_its_json_as_the_answers_that_they_are(folder: Path) -> None:
    tasks = json.loads(files_of(folder, "label-studio")["tasks.json"])
    task = next(task for task in tasks if task["data"]["item"] == FIRST)
    release = read_release(folder)
    ((annotation),) = task["annotations"]
    decoding = decode_results(release.codebook, item_of(task["data"]), annotation["result"])
    assert (answers := decoding.answers) is not None and not decoding.problems
    assert {each.code_id for each in answers.judgments if each.value} == {"asking-advice"}
    assert [(span.part, span.start, span.end) for span in answers.spans] == [(Part.POST, 2, 8)]


def test_a_uima_reader_finds_labels_and_highlights(folder: Path) -> None:
    files = files_of(folder, "xmi")
    cas = load_cas_from_xmi(files[f"{FIRST}.xmi"], typesystem=load_typesystem(files["TypeSystem.xml"]))
    (highlight,) = cas.select(HIGHLIGHT)
    assert (highlight.code, highlight.get_covered_text()) == ("asking-advice", POST[2:8])
    assert {label.code: label.value for label in cas.select(LABEL)}["asking-advice"] == "1"


def test_words_behind_an_emoji_are_found_in_uima_too() -> None:
    types = attune_types()
    found = xmi(types, Document("i1", "🙂🙂 so kind", {}, (Mark("warmth", 6, 10),))).decode()
    assert 'begin="8" end="12"' in found  # UIMA counts in UTF-16
    (highlight,) = load_cas_from_xmi(found, typesystem=types).select(HIGHLIGHT)
    assert highlight.get_covered_text() == "kind"


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_release_gives_the_same_bytes(folder: Path, name: str) -> None:
    assert zip_files(export_files(folder, name)) == zip_files(export_files(folder, name))


def test_without_texts_there_is_nothing_to_write(tmp_path: Path) -> None:
    write_release(tmp_path / "release", small_release(n=4))
    with pytest.raises(NoTexts, match="freeze one with texts"):
        list(export_files(tmp_path / "release", "brat"))


def test_the_command_writes_a_folder_once(folder: Path, tmp_path: Path) -> None:
    out = StringIO()
    call_command("export_release", folder, tmp_path / "out", "--format", "conll", stdout=out)
    assert out.getvalue().endswith(f"files in {tmp_path / 'out'}.\n")
    with pytest.raises(CommandError, match="is there already"):
        call_command("export_release", folder, tmp_path / "out", "--format", "conll")
    with pytest.raises(CommandError, match="is no release"):
        call_command("export_release", tmp_path / "nothing", tmp_path / "other", "--format", "conll")
