"""Reads which codes of a reply answer a code of the post, and checks that they can."""

from difflib import get_close_matches

from codebook.node_reader import NodeReader, Place
from codebook.schema import AnswerKind, Codebook, Part, Question


class Links:
    """A code may name one that comes later in the file, so what was read is checked at the end."""

    def __init__(self, reader: NodeReader) -> None:
        self._reader = reader
        self._named: list[tuple[Place, str]] = []

    def read(self, place: Place | None, part: Part) -> tuple[str, ...]:
        """The ids under `answered_by` of a code of this part."""
        if place is not None and part is not Part.POST:
            right = "remove it; only what a post asks for or tells is answered"
            self._reader.report(place, f"`answered_by` at a code of the {part}", right)
            return ()
        found: list[str] = []
        for entry in self._reader.sequence(place):
            code_id = self._reader.line_text(entry)
            if code_id in found:
                self._reader.report(entry, f"the code {code_id!r} is listed twice", "list each code once")
            elif code_id:
                found.append(code_id)
                self._named.append((entry, code_id))
        return tuple(found)

    def check(self, codebook: Codebook) -> None:
        questions = {code.id: question for question, code in codebook.coded_questions()}
        can_answer = [code_id for code_id, question in questions.items() if _can_answer(question)]
        for place, code_id in self._named:
            if code_id not in questions:
                near = get_close_matches(code_id, can_answer, n=1, cutoff=0.6)
                right = f"did you mean {near[0]}?" if near else "name the id of a code of the reply"
                self._reader.report(place, f"no code has the id {code_id!r}", right)
            elif code_id not in can_answer:
                right = "name codes of the reply that can be there or not"
                self._reader.report(place, f"the code {code_id!r} cannot answer a post", right)


def _can_answer(question: Question) -> bool:
    """No point of a rating scale says that something is there."""
    return question.part is Part.REPLY and question.answer is not AnswerKind.SCALE
