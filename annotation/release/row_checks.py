"""Whether the rows of a release fit its codebook, their texts and each other."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from annotation.release.cases import known_values
from annotation.release.rows import FinalLabel, ReleaseRow, Snippet, SplitPart, Texts, Words
from codebook.schema import Codebook, Part, Question

# A forged release may be wrong in every row: some of them say enough.
_SHOWN = 5
_Questions = dict[str, Question]


def wrong_with_rows(rows: Sequence[ReleaseRow], codebook: Codebook) -> list[str]:
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
    for label in row.labels:
        question = questions.get(label.code)
        if question is None:
            yield f"item {row.item.item_id}: the codebook has no code {label.code}"
        else:
            for wrong in _of_label(label, question, row.item.texts):
                yield f"item {row.item.item_id}, {label.code}: {wrong}"


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
