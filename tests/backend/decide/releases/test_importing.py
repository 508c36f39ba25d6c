"""A release that is brought in elsewhere has the same labels and the same hash."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from annotation.release.read import ReleaseBroken, copy_release
from annotation.release.write_protection import seal
from backend.annotate.practice.models import GoldAnswer
from backend.decide.releases.errors import NameTaken, OtherCodebook, OtherItems, WordsWanted
from backend.decide.releases.importing import import_release
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import problems_of, read_frozen
from backend.design.codebooks.services import add_edition
from backend.design.samples.models import Item
from codebook.shipped import shipped_path
from tests.annotation.release.hugging_face import hugging_face
from tests.backend.decide.releases.fixtures import asked, frozen, judged_study, settle
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW


@pytest.fixture
def exported(work: CastAtWork, tmp_path: Path) -> Path:
    """With texts, so that nothing of the first study is needed."""
    judged_study(work)
    settle(work, work.items[0])
    release = frozen(work, asked(texts=True))
    copy_release(release.folder, tmp_path / "exported")
    return tmp_path / "exported"


def brought_in(work: CastAtWork, folder: Path) -> Release:
    return import_release(study=work.cast.other_study, folder=folder, actor=work.cast.otto, now=NOW)


def test_a_fresh_instance_has_the_same_labels(
    work: CastAtWork, exported: Path, tmp_path: Path, settings: Settings
) -> None:
    own = Release.objects.get()
    before = read_frozen(own)
    settings.RELEASES_DIR = tmp_path / "elsewhere"
    release = brought_in(work, exported)
    assert read_frozen(release) == before
    assert problems_of(release) == []
    assert (release.hash, release.number, release.is_imported) == (own.hash, 1, True)
    other = work.cast.other_study
    assert other.editions.get().hash == work.edition.hash
    texts = ("item_id", "title", "post_text", "reply_text")
    assert set(other.items.values_list(*texts)) == set(work.study.items.values_list(*texts))


def test_importing_again_changes_nothing(work: CastAtWork, exported: Path) -> None:
    first = brought_in(work, exported)
    assert brought_in(work, exported) == first
    assert work.cast.other_study.releases.count() == 1
    assert work.cast.other_study.items.count() == 12


def test_without_texts_the_items_have_only_their_ids(work: CastAtWork, tmp_path: Path) -> None:
    judged_study(work)
    release = brought_in(work, frozen(work).folder)
    assert len(read_frozen(release).rows) == 12
    items = Item.objects.filter(study=work.cast.other_study)
    assert set(items.values_list("post_text", flat=True)) == {""}
    assert set(items.values_list("reply_text", flat=True)) == {"", None}


def test_a_changed_folder_is_refused_and_leaves_nothing(
    work: CastAtWork, exported: Path, releases_dir: Path
) -> None:
    labels = exported / "labels.csv"
    labels.write_text(labels.read_text().replace("agreed", "single", 1))
    with pytest.raises(ReleaseBroken, match=r"labels\.csv"):
        brought_in(work, exported)
    other = work.cast.other_study
    assert other.releases.count() == other.items.count() == other.editions.count() == 0
    assert [path.name for path in (releases_dir / f"{other.pk}-{other.slug}").iterdir()] == [".lock"]


def test_a_study_with_another_codebook_keeps_it(work: CastAtWork, exported: Path) -> None:
    other = work.cast.other_study
    source = shipped_path("epitome").read_text()
    add_edition(study=other, source=source, file_name="e.yaml", note="Own", actor=work.cast.otto, now=NOW)
    with pytest.raises(OtherCodebook):
        brought_in(work, exported)
    assert other.editions.count() == 1
    assert other.items.count() == 0


def test_another_release_of_the_same_name_is_refused(
    work: CastAtWork, exported: Path, tmp_path: Path
) -> None:
    settle(work, work.items[3])
    aside = tmp_path / "aside"
    Release.objects.get().folder.rename(aside)
    Release.objects.all().delete()
    changed = frozen(work, asked(texts=True))
    assert changed.name == "First"
    brought_in(work, exported)
    with pytest.raises(NameTaken):
        brought_in(work, changed.folder)


def test_a_read_only_folder_blocks_no_later_freezing(
    work: CastAtWork, exported: Path, releases_dir: Path
) -> None:
    seal(exported)
    other = work.cast.other_study
    home = releases_dir / f"{other.pk}-{other.slug}"
    left = home / ".making-x"
    copy_release(exported, left)
    seal(left)
    release = brought_in(work, exported)
    assert problems_of(release) == []
    assert sorted(path.name for path in home.iterdir()) == [".lock", "1"]


def test_a_release_with_texts_gives_them_to_items_without(work: CastAtWork, tmp_path: Path) -> None:
    judged_study(work)
    without, with_texts = frozen(work), frozen(work, asked("With texts", texts=True))
    other = work.cast.other_study
    brought_in(work, without.folder)
    assert set(other.items.values_list("post_text", flat=True)) == {""}
    brought_in(work, with_texts.folder)
    names = ("item_id", "title", "post_text", "reply_text")
    assert set(other.items.values_list(*names)) == set(work.study.items.values_list(*names))
    assert other.items.count() == 12


def test_items_in_use_get_no_texts_behind_their_back(work: CastAtWork) -> None:
    judged_study(work)
    without, with_texts = frozen(work), frozen(work, asked("With texts", texts=True))
    other = work.cast.other_study
    brought_in(work, without.folder)
    GoldAnswer.objects.create(
        item=other.items.all()[0],
        edition=other.editions.get(),
        answers={},
        reasons={},
        written_by=work.cast.otto,
        written_at=NOW,
    )
    with pytest.raises(WordsWanted, match="1 item that"):
        brought_in(work, with_texts.folder)
    assert other.releases.count() == 1


@pytest.mark.parametrize("changed", [{"post_text": "Something else."}, {"post_id": "elsewhere"}])
def test_another_text_under_the_same_id_is_refused(
    work: CastAtWork, exported: Path, changed: dict[str, str]
) -> None:
    other = work.cast.other_study
    item = work.items[2]
    names = ("item_id", "platform", "community", "post_id", "reply_id", "title", "post_text", "reply_text")
    Item.objects.create(study=other, **({name: getattr(item, name) for name in names} | changed))
    with pytest.raises(OtherItems, match=item.item_id):
        brought_in(work, exported)
    assert (other.releases.count(), other.items.count()) == (0, 1)


def test_hugging_face_opens_an_imported_release(work: CastAtWork, exported: Path, tmp_path: Path) -> None:
    release = brought_in(work, exported)
    opened = hugging_face(release.folder, tmp_path / "cache")
    assert opened.rows == release.counts["by_split"]
    assert opened.has_text
