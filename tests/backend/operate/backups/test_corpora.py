"""Every text of a corpus is in its copy, whatever people called their communities, label sets and files."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.operate.backups.copying import copy_folder
from backend.operate.backups.corpora import copy_corpora, corpus_problems
from backend.operate.backups.errors import TextsLeftOut
from backend.operate.backups.inventory import Inventory, problems_with
from corpus.atomic_files import replace_file
from corpus.labels import LabelColumns, import_labels
from corpus.names import NAME_PATTERN
from corpus.pairs import PairColumns, import_pairs
from corpus.rules import ImportRules
from corpus.store import CorpusStore

PAIRS = PairColumns(post_id="pid", reply_id="rid", post_text="post", reply_text="reply", community="where")
LABELS = LabelColumns(post_id="pid", reply_id="rid", value="level", annotator_is="team", code_is="care")
DRAFT_LIKE = f"r.{'0f' * 16}.new"
NAMES = ("ours", "staging", "r.new", DRAFT_LIKE)


def now() -> datetime:
    return datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> CorpusStore:
    """One post and one reply in each community, and label sets with the same names."""
    store = CorpusStore(tmp_path / "corpora" / "1-texts")
    rows = [
        {"where": name, "pid": f"p{n}", "rid": f"r{n}", "post": "I failed.", "reply": "Rest.", "level": "1"}
        for n, name in enumerate(NAMES)
    ]
    table = tmp_path / "table.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_pairs(store, path=table, columns=PAIRS, rules=ImportRules(), key=b"k" * 32, now=now)
    for name in ("staging", "labels.new"):
        import_labels(store, path=table, columns=LABELS, name=name, now=now)
    return store


def copied(store: CorpusStore) -> CorpusStore:
    copies = store.root.parent.with_name("copies")
    copy_corpora(store.root.parent, copies, heard=lambda n_bytes: None)
    return CorpusStore(copies / store.root.name)


def test_no_name_keeps_a_text_or_a_label_out(store: CorpusStore) -> None:
    unfinished = store.staging_root / "import-1" / "posts-000000.parquet"
    unfinished.parent.mkdir(parents=True)
    unfinished.touch()
    copy = copied(store)
    assert copy.scan_posts().collect().height == len(NAMES)
    assert copy.scan_replies().collect().equals(store.scan_replies().collect())
    for name in ("staging", "labels.new"):
        assert copy.scan_labels(name).collect().equals(store.scan_labels(name).collect())
    assert not copy.staging_root.exists(), "an import under way is begun again"


@given(st.from_regex(NAME_PATTERN, fullmatch=True))
def test_any_name_of_a_community_is_a_folder_that_is_copied(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    folder = tmp_path_factory.mktemp("any")
    (folder / "from" / name).mkdir(parents=True)
    (folder / "from" / name / "posts-00000.parquet").touch()
    (entry,) = copy_folder(folder / "from", folder / "to", heard=lambda n_bytes: None)
    assert entry.path == f"{name}/posts-00000.parquet"


def test_an_upload_is_copied_and_a_draft_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The draft is the one that is there when a file is replaced, seen just before it gets its name."""
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "posts.new").write_text("text")
    seen = []
    rename = Path.replace

    def copy_then_rename(draft: Path, target: Path) -> Path:
        seen.extend(copy_folder(tmp_path / "files", tmp_path / "copy", heard=lambda n_bytes: None))
        return rename(draft, target)

    monkeypatch.setattr(Path, "replace", copy_then_rename)
    replace_file(tmp_path / "files" / "other.csv", b"a,b")
    assert [entry.path for entry in seen] == ["posts.new"]


def test_a_copy_that_lacks_texts_makes_no_backup(store: CorpusStore, tmp_path: Path) -> None:
    """A part is lost on the way, and the manifest is the same: nobody replaced it."""

    def lose(n_bytes: int) -> None:
        for part in (tmp_path / "copies").rglob("ours/posts-*.parquet"):
            part.unlink()

    with pytest.raises(TextsLeftOut, match=r"1-texts is not whole.*ours: 0 of 1 posts are there"):
        copy_corpora(store.root.parent, tmp_path / "copies", heard=lose)


def test_what_a_corpus_lost_before_is_named_and_keeps_nothing_else_out(store: CorpusStore) -> None:
    owners = store.manifest().communities
    (replies,) = store.community_path(owners["ours"], "ours").glob("replies-*")
    replies.unlink()
    (posts,) = store.community_path(owners["r.new"], "r.new").glob("posts-*")
    posts.write_bytes(b"no table")
    store.label_path(store.labels()[0]).unlink()
    copy = copied(store)
    assert corpus_problems(copy) == [
        "ours: 0 of 1 replies are there",
        "r.new: its posts cannot be read (ComputeError)",
        f"label set {store.labels()[0].label_set}: its labels cannot be read (FileNotFoundError)",
    ]
    assert named(copy)[0] == "corpus 1-texts: ours: 0 of 1 replies are there"


@pytest.mark.parametrize("broken", [b"{", b"\xff", b'{"format": 99}', b'{"communities": {"../up": "i"}}'])
def test_a_corpus_whose_manifest_is_broken_is_copied_as_it_is_and_named(
    store: CorpusStore, broken: bytes
) -> None:
    store.manifest_path.write_bytes(broken)
    copy = copied(store)
    assert copy.manifest_path.read_bytes() == broken
    (problem,) = named(copy)
    assert problem.startswith("corpus 1-texts: corpus.json cannot be read (")


def test_a_corpus_that_lost_its_manifest_is_named_if_there_was_one(store: CorpusStore) -> None:
    store.manifest_path.unlink()
    copy = copied(store)
    lost = ["corpus 1-texts: corpus.json is missing: none of its texts can be found"]
    assert named(copy, filled=False) == lost
    shutil.rmtree(copy.root)
    assert named(copy) == lost
    assert named(copy, filled=False) == [], "nothing was ever imported"


def named(copy: CorpusStore, *, filled: bool = True) -> list[str]:
    """What is said of the corpus by rows that know it, and that texts were imported into it."""
    known = frozenset([Path(copy.root.name)])
    rows = Inventory(frozenset(), known, known if filled else frozenset(), {}, {}, {}, {})
    return problems_with(rows, {"corpora": copy.root.parent})
