"""What one annotator said about one item, in the one form that everything after the decoder relies on."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from annotation.sentences import sentences
from codebook.schema import AnswerKind, Code, Codebook, Part, Question


@dataclass(frozen=True, slots=True)
class SentenceList:
    """The sentences of a part as its source cut them, and by name what it says of each, such as who speaks it."""

    places: tuple[tuple[int, int], ...]
    features: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Features:
    """What a source says of an item besides its words; `of_item` by name, `sentences` of those parts that came cut."""

    of_item: dict[str, str] = field(default_factory=dict)
    sentences: dict[Part, SentenceList] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ItemText:
    """The texts of an item as they were shown; offsets of spans count its code points."""

    item_id: str
    title: str
    post: str
    reply: str | None
    features: Features | None = field(default=None, hash=False)

    def sentences_of(self, part: Part) -> tuple[tuple[int, int], ...]:
        """As its source cut them, else by rule."""
        given = self.features.sentences.get(part) if self.features else None
        return given.places if given else sentences(self.text_of(part) or "")

    def text_of(self, part: Part) -> str | None:
        return self.post if part is Part.POST else self.reply

    def words_of(self, span: "Span") -> str:
        return (self.text_of(span.part) or "")[span.start : span.end]


@dataclass(frozen=True, slots=True)
class Judgment:
    """`value` is 0 or 1 for ticks and for marked sentences, else the value of the chosen level."""

    code_id: str
    value: int


@dataclass(frozen=True, slots=True)
class Span:
    """The words text[start:end] of a part, counted in code points."""

    code_id: str
    part: Part
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Flag:
    """The annotator is not sure and wants to discuss the item."""

    comment: str


@dataclass(frozen=True, slots=True)
class Answers:
    """Canonical: judgments in codebook order, one per code shown; spans by code, then place, none twice."""

    judgments: tuple[Judgment, ...]
    spans: tuple[Span, ...]
    flag: Flag | None


def shown_codes(codebook: Codebook, item: ItemText) -> Iterator[tuple[Question, Code]]:
    """Every code an annotator can answer on this item: without a reply, none of the reply's."""
    for question, code in codebook.coded_questions():
        if item.text_of(question.part) is not None:
            yield question, code


def canonical_answers(
    codebook: Codebook, item: ItemText, values: Mapping[str, int], spans: Iterable[Span], flag: Flag | None
) -> Answers:
    """Puts values by code id and spans in order; what is not ticked or marked is 0, an unanswered level is left out.

    Marked sentences say themselves whether their code is there, so `values` need not name such codes.
    """
    kept = set(spans)
    marked = {span.code_id for span in kept}
    judgments, ordered = [], []
    for question, code in shown_codes(codebook, item):
        value = values.get(code.id, None if question.answer.has_levels else 0)
        if question.answer is AnswerKind.SENTENCES:
            value = int(code.id in marked)
        if value is not None:
            judgments.append(Judgment(code.id, value))
        own = [span for span in kept if span.code_id == code.id]
        ordered.extend(sorted(own, key=lambda span: (span.start, span.end)))
    return Answers(tuple(judgments), tuple(ordered), flag)
