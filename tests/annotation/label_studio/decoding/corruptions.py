"""Ways to spoil a sound annotation, each with the kind of problem it makes."""

from dataclasses import dataclass, field, replace

from hypothesis import assume
from hypothesis import strategies as st

from annotation.answers import ItemText
from annotation.problems import ProblemKind
from codebook.schema import AnswerKind, Codebook, Evidence, Part
from codebook.shipped import load_shipped, shipped_codebooks

Row = dict[str, object]


def every_kind_of_question() -> Codebook:
    """The shipped codebooks as one: ticks, levels, scales and sentences, with and without evidence."""
    shipped = [load_shipped(name) for name in shipped_codebooks()]
    questions = {question.id: question for codebook in shipped for question in codebook.questions}
    return replace(shipped[0], parts=(Part.POST, Part.REPLY), questions=tuple(questions.values()))


CODEBOOK = every_kind_of_question()


@dataclass
class Sent:
    """Rows of a sound annotation, about to be spoilt."""

    item: ItemText
    rows: list[Row]
    draw: st.DataObject
    strays: list[object] = field(default_factory=list)

    def pick(self, *kinds: str) -> Row:
        """One of the rows whose control is of one of these kinds."""
        found = [row for row in self.rows if str(row["from_name"]).split("_")[0] in kinds]
        assume(found)
        return self.draw.draw(st.sampled_from(found))

    def one_of(self, *values: object) -> object:
        return self.draw.draw(st.sampled_from(values))

    def change_value(self, row: Row, **changes: object) -> None:
        value = row["value"]
        assert isinstance(value, dict)
        row["value"] = {**value, **changes}


ANY = ("ticks", "level", "span", "sentence", "flag", "comment")


def lose_a_key(sent: Sent) -> None:
    del sent.pick(*ANY)[str(sent.one_of("from_name", "to_name", "value", "type"))]


def replace_a_row(sent: Sent) -> None:
    sent.rows.remove(sent.pick(*ANY))
    sent.strays.append(sent.one_of(None, 5, "x", [], [{}]))


def rename_a_control(sent: Sent) -> None:
    sent.pick(*ANY)["from_name"] = sent.one_of("span_no-such-code", "ticks_none_0", "post", "", "level_x")


def change_the_type(sent: Sent) -> None:
    sent.pick(*ANY)["type"] = sent.one_of("relation", "rectanglelabels", "")


def swap_the_type(sent: Sent) -> None:
    row = sent.pick(*ANY)
    row["type"] = "textarea" if row["type"] != "textarea" else "choices"
    row["value"] = {"text": ["x"], "choices": []}


def link_highlights(sent: Sent) -> None:
    sent.rows.append({"type": "relation", "from_id": "a", "to_id": "b", "direction": "right"})


def choose_an_unknown_code(sent: Sent) -> None:
    sent.change_value(sent.pick("ticks", "level", "flag"), choices=["no-such", sent.one_of("99", "")])


def label_wrongly(sent: Sent) -> None:
    row = sent.pick("span", "sentence")
    code_id = str(row["from_name"]).split("_")[1]
    sent.change_value(row, labels=sent.one_of([], ["no-such"], [code_id, "no-such"], [code_id, code_id]))


def point_at_another_text(sent: Sent) -> None:
    row = sent.pick(*ANY)
    row["to_name"] = sent.one_of("reply_1", "title", "", "reply_0" if row["to_name"] == "post" else "post")


def spoil_an_offset(sent: Sent) -> None:
    wrong: list[object] = [-1, 10_000, 1.0, 0.5, True, None, "1", [1]]
    key = str(sent.one_of("start", "end"))
    sent.change_value(sent.pick("span", "sentence"), **{key: sent.one_of(*wrong)})


def empty_a_highlight(sent: Sent) -> None:
    row = sent.pick("span", "sentence")
    value = row["value"]
    assert isinstance(value, dict)
    sent.change_value(
        row, **sent.draw.draw(st.sampled_from([{"end": value["start"]}, {"start": value["end"]}]))
    )


def remove_evidence(sent: Sent) -> None:
    needy = {
        code.id
        for question, code in CODEBOOK.coded_questions()
        if question.answer.takes_evidence and question.evidence is Evidence.REQUIRED
    }
    name = sent.pick("span")["from_name"]
    assume(str(name).split("_")[1] in needy)
    sent.rows[:] = [row for row in sent.rows if row["from_name"] != name]


def untick(sent: Sent) -> None:
    ticks = [question for question in CODEBOOK.questions if question.answer is AnswerKind.TICK]
    name = str(sent.pick("span")["from_name"])
    assume(any(code.id == name.split("_")[1] for question in ticks for code in question.codes))
    sent.rows[:] = [row for row in sent.rows if not str(row["from_name"]).startswith("ticks")]


def choose_the_absent_level(sent: Sent) -> None:
    code_id = str(sent.pick("span")["from_name"]).split("_")[1]
    absent = {
        code.id: level.value
        for question, code in CODEBOOK.coded_questions()
        for level in question.levels
        if level.absent
    }
    assume(code_id in absent)
    (row,) = (row for row in sent.rows if str(row["from_name"]).startswith(f"level_{code_id}"))
    sent.change_value(row, choices=[str(absent[code_id])])


def hide_the_reply(sent: Sent) -> None:
    assume(any(row["to_name"] == "reply_0" for row in sent.rows))
    sent.item = replace(sent.item, reply=None)


def leave_a_level_out(sent: Sent) -> None:
    row = sent.pick("level")
    if sent.one_of(True, False):
        sent.rows.remove(row)
    else:
        sent.change_value(row, choices=[])


def choose_two_levels(sent: Sent) -> None:
    row = sent.pick("level")
    code_id = str(row["from_name"]).split("_")[1]
    (question,) = (question for question, code in CODEBOOK.coded_questions() if code.id == code_id)
    chosen = [str(level.value) for level in question.levels[:2]]
    if sent.one_of(True, False):
        sent.change_value(row, choices=chosen)
    else:
        sent.rows.extend({**row, "value": {"choices": [value]}} for value in chosen)


def answer_a_control_twice(sent: Sent) -> None:
    row = sent.pick("ticks", "flag", "comment")
    sent.rows.append({**row, "value": {"choices": [], "text": ["something else"]}})


CORRUPTIONS = [
    (lose_a_key, ProblemKind.UNREADABLE),
    (replace_a_row, ProblemKind.UNREADABLE),
    (rename_a_control, ProblemKind.UNKNOWN_CONTROL),
    (change_the_type, ProblemKind.UNKNOWN_CONTROL),
    (swap_the_type, ProblemKind.UNKNOWN_CONTROL),
    (link_highlights, ProblemKind.UNKNOWN_CONTROL),
    (choose_an_unknown_code, ProblemKind.UNKNOWN_CODE),
    (label_wrongly, ProblemKind.UNKNOWN_CODE),
    (point_at_another_text, ProblemKind.WRONG_TEXT),
    (spoil_an_offset, ProblemKind.BAD_OFFSETS),
    (empty_a_highlight, ProblemKind.BAD_OFFSETS),
    (remove_evidence, ProblemKind.MISSING_EVIDENCE),
    (untick, ProblemKind.ORPHAN_SPAN),
    (choose_the_absent_level, ProblemKind.ORPHAN_SPAN),
    (hide_the_reply, ProblemKind.HIDDEN_PART),
    (leave_a_level_out, ProblemKind.UNANSWERED),
    (choose_two_levels, ProblemKind.CONTRADICTION),
    (answer_a_control_twice, ProblemKind.CONTRADICTION),
]
