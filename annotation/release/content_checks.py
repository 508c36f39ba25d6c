"""What may be wrong with the folder of a release, and whether its files make sense together.

A manifest that was hashed anew proves nothing about that: rows must fit the codebook, their texts and each other.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import msgspec

from annotation.release.cases import known_values
from annotation.release.counts import counts_of
from annotation.release.files import CODEBOOK, ITEMS, LABELS, SPLIT, part_file
from annotation.release.manifest import Manifest
from annotation.release.rows import FinalLabel, ReleaseRow, Snippet, SplitPart, Texts, Words
from annotation.release.soft_labels import (
    ANNOTATOR_LABELS,
    SOFT_LABELS,
    annotator_labels_csv,
    share_problems,
    soft_labels_csv,
)
from codebook.editions import codebook_from_canonical, edition_hash
from codebook.problems import CodebookError
from codebook.schema import Codebook, Part, Question
from corpus.delimited import RecordBroken, records

# A forged release may be wrong in every row: some of them say enough.
_SHOWN = 5
_Questions = dict[str, Question]


class ProblemKind(StrEnum):
    NO_MANIFEST = "no manifest"
    CHANGED_MANIFEST = "changed manifest"
    OTHER_RELEASE = "other release"
    MISSING_FILE = "missing file"
    EXTRA_FILE = "extra file"
    CHANGED_FILE = "changed file"
    WRONG_CODEBOOK = "wrong codebook"
    WRONG_COUNTS = "wrong counts"
    WRONG_ITEMS = "wrong items"


@dataclass(frozen=True, slots=True)
class ReleaseProblem:
    kind: ProblemKind
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


def content_problems(folder: Path, manifest: Manifest) -> list[ReleaseProblem]:
    codebook = _codebook(folder, manifest)
    if codebook is None:
        wrong = "it is not the edition that the manifest names"
        return [ReleaseProblem(ProblemKind.WRONG_CODEBOOK, CODEBOOK, wrong)]
    try:
        rows = msgspec.json.Decoder(ReleaseRow).decode_lines((folder / ITEMS).read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        wrong = f"it cannot be read as the items of a release ({error})"
        return [ReleaseProblem(ProblemKind.CHANGED_FILE, ITEMS, wrong)]
    problems = [
        ReleaseProblem(ProblemKind.WRONG_ITEMS, ITEMS, wrong) for wrong in row_problems(rows, codebook)
    ]
    is_soft = bool(manifest.request.soft_labels)
    problems += [
        ReleaseProblem(ProblemKind.WRONG_ITEMS, ITEMS, wrong)
        for wrong in _some(share_problems(rows, codebook, is_soft=is_soft))
    ]
    if counts_of(rows, manifest.counts.left_out) != manifest.counts:
        wrong = "it holds other numbers of items or labels than the manifest says"
        problems.append(ReleaseProblem(ProblemKind.WRONG_COUNTS, ITEMS, wrong))
    problems = problems or list(_of_tables(folder, rows))
    return problems or (list(_of_soft_tables(folder, rows, codebook)) if is_soft else [])


def _codebook(folder: Path, manifest: Manifest) -> Codebook | None:
    try:
        codebook = codebook_from_canonical((folder / CODEBOOK).read_text(encoding="utf-8"))
    except (OSError, CodebookError, UnicodeDecodeError):
        return None
    return codebook if edition_hash(codebook) == manifest.edition.hash else None


def _of_tables(folder: Path, rows: Sequence[ReleaseRow]) -> Iterator[ReleaseProblem]:
    """By their lengths and items only, which is cheap; every value would mean to write them all again."""
    n_labels = sum(len(row.labels) for row in rows)
    for name, n in ((LABELS, n_labels), (SPLIT, len(rows))):
        if _n_records(folder / name) != n:
            yield ReleaseProblem(ProblemKind.WRONG_COUNTS, name, f"it has not one line for each of {n:,}")
    for part in SplitPart:
        items = [row.item.item_id for row in rows if row.split is part]
        if _items_of(folder / part_file(part)) != items:
            wrong = f"it holds other items than {ITEMS} has in this part"
            yield ReleaseProblem(ProblemKind.WRONG_COUNTS, part_file(part), wrong)


def _of_soft_tables(folder: Path, rows: Sequence[ReleaseRow], codebook: Codebook) -> Iterator[ReleaseProblem]:
    tables = {ANNOTATOR_LABELS: annotator_labels_csv, SOFT_LABELS: soft_labels_csv}
    for name, lines in tables.items():
        if not _has_text(folder / name, lines(rows, codebook)):
            yield ReleaseProblem(ProblemKind.WRONG_COUNTS, name, f"it says something else than {ITEMS}")


def _has_text(path: Path, pieces: Iterable[str]) -> bool:
    try:
        with path.open("rb") as handle:
            return all(handle.read(len(raw)) == raw for raw in map(str.encode, pieces)) and not handle.read(1)
    except OSError:
        return False


def _n_records(path: Path) -> int | None:
    """Without the header; None if it is no table."""
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            return sum(1 for _ in records(handle)) - 1
    except (OSError, UnicodeDecodeError, RecordBroken):
        return None


def _items_of(path: Path) -> list[str] | None:
    """Empty if there is no file, as for an empty part; None if it is no table with item ids."""
    import polars as pl

    if not path.exists():
        return []
    try:
        return pl.read_parquet(path, columns=["item_id"])["item_id"].to_list()
    except (OSError, pl.exceptions.PolarsError):
        return None


def row_problems(rows: Sequence[ReleaseRow], codebook: Codebook) -> list[str]:
    """In words, the first few of each kind."""
    questions = {code.id: question for question, code in codebook.coded_questions()}
    ids = Counter(row.item.item_id for row in rows)
    return [
        *_some(f"item {item_id} is there {n} times" for item_id, n in ids.items() if n > 1),
        *_some(_posts_in_two_parts(rows)),
        *_some(wrong for row in rows for wrong in _of_row(row, questions)),
    ]


def _some(wrongs: Iterable[str]) -> list[str]:
    found = list(wrongs)
    more = [f"{len(found) - _SHOWN:,} more of this kind"] if len(found) > _SHOWN else []
    return found[:_SHOWN] + more


def _posts_in_two_parts(rows: Sequence[ReleaseRow]) -> Iterator[str]:
    parts: dict[tuple[str, str, str], set[SplitPart]] = {}
    for row in rows:
        parts.setdefault(row.item.post, set()).add(row.split)
    for post, found in parts.items():
        if len(found) > 1:
            yield f"post {post[-1]} is in the parts {' and '.join(sorted(found))}"


def _of_row(row: ReleaseRow, questions: _Questions) -> Iterator[str]:
    codes = Counter(label.code for label in row.labels)
    yield from (f"item {row.item.item_id}: {n} labels for {code}" for code, n in codes.items() if n > 1)
    if row.item.texts and not _has_sound_sentences(row.item.texts):
        yield f"item {row.item.item_id}: its list of sentences does not fit its text"
    for label in row.labels:
        question = questions.get(label.code)
        if question is None:
            yield f"item {row.item.item_id}: the codebook has no code {label.code}"
        else:
            for wrong in _of_label(label, question, row.item.texts):
                yield f"item {row.item.item_id}, {label.code}: {wrong}"


def _has_sound_sentences(texts: Texts) -> bool:
    """One after the other, inside the text, and as many of each feature."""
    for part, given in (texts.features.sentences if texts.features else {}).items():
        text = (texts.post if part is Part.POST else texts.reply) or ""
        borders = [0, *(border for place in given.places for border in place), len(text)]
        if borders != sorted(borders) or any(start == end for start, end in given.places):
            return False
        if any(len(values) != len(given.places) for values in given.features.values()):
            return False
    return True


def _of_label(label: FinalLabel, question: Question, texts: Texts | None) -> Iterator[str]:
    known = known_values(question)
    if (label.value is not None) != label.source.has_value:
        yield f"a label that is {label.source} {'needs a' if label.value is None else 'has no'} value"
    values = {vote.value for vote in label.votes} | {label.value} - {None}
    yield from (f"the codebook has no answer {value}" for value in values if value not in known)
    if not (0 <= label.weight <= 1 and 0 <= (label.confidence or 0) <= 1):
        yield "a confidence and a weight are between 0 and 1"
    places: list[Words | Snippet] = [*label.evidence.snippets]
    places += [place for vote in label.votes for place in vote.words]
    if not all(_is_inside(place, question.part, texts) for place in places):
        yield f"a span is empty or not in the {question.part}"


def _is_inside(place: Words | Snippet, part: Part, texts: Texts | None) -> bool:
    """Without texts nobody can tell where they end."""
    if place.part is not part or not 0 <= place.start < place.end:
        return False
    if texts is None:
        return True
    return place.end <= len((texts.post if part is Part.POST else texts.reply) or "")
