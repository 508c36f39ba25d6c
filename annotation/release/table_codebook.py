"""A codebook for labelled tables that came without one: a code for each column of labels, answered as its cells say."""

import colorsys
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from annotation.release.table_columns import TableShape
from codebook.editions import canonical_json, codebook_from_canonical
from codebook.hotkeys import RESERVED_KEYS, USABLE_KEYS
from codebook.levels import MAX_LEVELS
from codebook.schema import AnswerKind, Code, Codebook, Evidence, Example, Level, Part, Question
from corpus.rules import ReadLimits
from corpus.tables import read_table

KEYS = "".join(key for key in USABLE_KEYS if key not in RESERVED_KEYS)
# Stands where a codebook needs an example; nobody said it.
NO_EXAMPLE = "No example came with the table."
_UNWRITTEN = "As in the table that the labels came from."
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


class ColumnWithoutAnswers(ValueError):
    def __init__(self, column: str, problem: str) -> None:
        super().__init__(
            f"No answers of a codebook can be made of the column {column!r}: {problem}. Leave it out, or group its "
            "values."
        )


class TooManyAnswers(ValueError):
    def __init__(self) -> None:
        super().__init__(f"The columns have more than {len(KEYS)} answers in all. Name fewer with --label.")


def codebook_of_table(
    shape: TableShape,
    columns: Sequence[str],
    *,
    part: Part,
    more: Iterable[Path] = (),
    ratings: frozenset[str] = frozenset(),
    leave_out: bool = False,
    elsewhere: Mapping[str, tuple[TableShape, str]] | None = None,
) -> tuple[Codebook, dict[str, str]]:
    """With the column of each code. `more` are further tables with the same columns; `elsewhere` says by name which
    column of another table is meant. Columns that would need too many
    answers are refused, or left out."""
    questions: list[Question] = []
    column_of: dict[str, str] = {}
    keys = KEYS
    for column in columns:
        slug = _slug(column, len(questions))
        try:
            source, name = (elsewhere or {}).get(column, (shape, column))
            others = more if source is shape else ()
            answer, levels = _answers(source, name, others, column in ratings)
        except ColumnWithoutAnswers:
            if leave_out:
                continue
            raise
        n = max(1, len(levels))
        if n > len(keys):
            raise TooManyAnswers
        hotkey, keys = keys[:n], keys[n:]
        column_of[slug] = column
        questions.append(_question(slug, column, part, answer, levels, hotkey, len(questions)))
    if not questions:
        raise ColumnWithoutAnswers(", ".join(columns) or "(none)", "none has few enough different values")
    codebook = Codebook(
        name="from-table",
        title=f"Labels of {shape.path.stem}",
        description="Made of the columns of a table, whose authors know what the labels mean.",
        language="en",
        parts=(Part.POST, Part.REPLY),
        questions=tuple(questions),
    )
    return codebook_from_canonical(canonical_json(codebook)), column_of


def _slug(column: str, place: int) -> str:
    """
    >>> _slug("Emotion (speaker)", 0), _slug("2nd label", 1)
    ('emotion-speaker', 'label-2-2nd-label')
    """
    plain = _NOT_SLUG.sub("-", column.casefold()).strip("-")
    return plain if plain[:1].isalpha() else f"label-{place + 1}-{plain}".rstrip("-")


def _answers(
    shape: TableShape, column: str, more: Iterable[Path], is_rating: bool
) -> tuple[AnswerKind, tuple[Level, ...]]:
    if column in shape.marks:
        return AnswerKind.SENTENCES, ()
    cells = {
        str(cell).strip()
        for path in (shape.path, *more)
        for batch in read_table(path, [column], ReadLimits())
        for cell in batch.columns[column]
        if cell is not None and str(cell).strip() not in ("", "nan")
    }
    if not cells:
        raise ColumnWithoutAnswers(column, "it is empty")
    try:
        numbers = [float(cell) for cell in cells]
    except ValueError:
        return AnswerKind.LEVELS, _classes(column, sorted(cells, key=str.casefold))
    if not all(map(math.isfinite, numbers)):
        raise ColumnWithoutAnswers(column, "it holds infinite numbers")
    is_rating = is_rating or not all(map(float.is_integer, numbers))
    if set(numbers) <= {0, 1} and not is_rating:
        return AnswerKind.TICK, ()
    low, high = math.floor(min(numbers)), math.ceil(max(numbers))
    if not 1 <= high - low < MAX_LEVELS:
        raise ColumnWithoutAnswers(
            column, f"its numbers go from {low} to {high}, and it needs 2 to {MAX_LEVELS} steps"
        )
    levels = tuple(
        Level(value, str(value), _UNWRITTEN, absent=value == low == 0 and not is_rating)
        for value in range(low, high + 1)
    )
    return AnswerKind.SCALE if is_rating else AnswerKind.LEVELS, levels


def _classes(column: str, words: Sequence[str]) -> tuple[Level, ...]:
    if not 2 <= len(words) <= MAX_LEVELS:
        raise ColumnWithoutAnswers(
            column, f"it has {len(words)} different values, and it needs 2 to {MAX_LEVELS}"
        )
    return tuple(Level(value, word, _UNWRITTEN) for value, word in enumerate(words))


def _question(
    slug: str, column: str, part: Part, answer: AnswerKind, levels: tuple[Level, ...], hotkey: str, place: int
) -> Question:
    example = Example(NO_EXAMPLE)
    code = Code(
        id=slug,
        name=column,
        definition=_UNWRITTEN,
        applies=(_UNWRITTEN,),
        not_applies=(_UNWRITTEN,),
        examples_for=(example,),
        examples_against=(example,),
        hotkey=hotkey,
        colour=_colour(place),
    )
    context = (Part.POST if part is Part.REPLY else Part.REPLY,)
    return Question(
        f"asks-{slug}",
        part,
        context,
        column,
        f"What is its {column}?",
        answer,
        Evidence.NONE,
        levels,
        (code,),
    )


def _colour(place: int) -> str:
    """As far apart on the colour wheel as so many can be, one after the other."""
    red, green, blue = colorsys.hls_to_rgb((place * 0.618034) % 1, 0.72, 0.6)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
