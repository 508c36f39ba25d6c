"""Takes the rows of one annotation one by one: each is either understood or becomes a problem."""

from collections.abc import Iterable

from annotation.answers import ItemText, Span
from annotation.label_studio.config.control_names import (
    FLAG_VALUE,
    ControlName,
    UnknownControlError,
    text_name_in_results,
)
from annotation.label_studio.decoding import messages
from annotation.label_studio.decoding.controls import (
    CommentBox,
    Control,
    FlagBox,
    Highlighter,
    LevelChoice,
    TickBoxes,
    controls_of,
)
from annotation.label_studio.decoding.offsets import marked_sentences, trimmed_place
from annotation.label_studio.decoding.rows import (
    ChoicesRow,
    ForeignRowType,
    LabelsRow,
    Row,
    TextRow,
    UnreadableRow,
    read_row,
)
from annotation.problems import Problem
from codebook.schema import AnswerKind, Codebook


class Reading:
    """What the rows read so far say, by control, and what was wrong with them."""

    def __init__(self, codebook: Codebook, item: ItemText) -> None:
        self.item = item
        self.controls = controls_of(codebook)
        self.problems: list[Problem] = []
        self.chosen: dict[ControlName, list[frozenset[str]]] = {}
        self.comments: list[str] = []
        self.spans: list[Span] = []

    def read(self, number: int, raw: object) -> None:
        try:
            row = read_row(raw)
            name, control = self.controls.named(row.from_name)
        except UnreadableRow:
            self.problems.append(messages.unreadable_row(number))
        except ForeignRowType as error:
            self.problems.append(messages.foreign_type(error.row_type))
        except UnknownControlError:
            self.problems.append(messages.unknown_control(row.from_name))
        else:
            self._place(name, control, row)

    def _place(self, name: ControlName, control: Control, row: Row) -> None:
        subject, asked = messages.asked_by(control)
        if self.item.text_of(name.part) is None:
            self.problems.append(messages.hidden_part(subject, asked, name.part))
        elif row.to_name != text_name_in_results(name.part):
            self.problems.append(messages.wrong_text(subject, asked, row.to_name, name.part))
        else:
            self._take(name, control, row)

    def _take(self, name: ControlName, control: Control, row: Row) -> None:
        match control, row:
            case TickBoxes(), ChoicesRow():
                self._choose(name, control, row, (code.id for code in control.question.codes))
            case LevelChoice(), ChoicesRow():
                self._choose(name, control, row, (str(level.value) for level in control.question.levels))
            case FlagBox(), ChoicesRow():
                self._choose(name, control, row, [FLAG_VALUE])
            case Highlighter(), LabelsRow():
                self._mark(control, row)
            case CommentBox(), TextRow():
                self.comments.append(row.text)
            case _:
                self.problems.append(messages.unknown_control(row.from_name))

    def _choose(self, name: ControlName, control: Control, row: ChoicesRow, allowed: Iterable[str]) -> None:
        known = row.chosen.intersection(allowed)
        subject, asked = messages.asked_by(control)
        for value in sorted(row.chosen - known):
            self.problems.append(messages.unknown_choice(subject, asked, value))
        self.chosen.setdefault(name, []).append(known)

    def _mark(self, control: Highlighter, row: LabelsRow) -> None:
        question, code = control.question, control.code
        if row.value.labels != [code.id]:
            self.problems.append(messages.wrong_label(code))
            return
        text = self.item.text_of(question.part) or ""
        place = trimmed_place(text, *row.offsets) if row.offsets else None
        if place is None:
            self.problems.append(messages.bad_offsets(code, question.part))
            return
        places = marked_sentences(text, *place) if question.answer is AnswerKind.SENTENCES else (place,)
        self.spans.extend(Span(code.id, question.part, start, end) for start, end in places)
