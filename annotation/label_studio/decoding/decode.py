"""Reads the rows of one annotation against the codebook and the item, and says what is wrong with them."""

from dataclasses import dataclass

from annotation.answers import Answers, ItemText, canonical_answers
from annotation.label_studio.decoding import messages
from annotation.label_studio.decoding.reading import Reading
from annotation.label_studio.decoding.settling import contradictions, settled_flag, settled_values
from annotation.label_studio.decoding.whole_answers import check_whole
from annotation.problems import Problem, ProblemKind
from codebook.schema import Codebook


@dataclass(frozen=True, slots=True)
class Decoding:
    """`answers` is what could be read; it is sound only if there are no problems."""

    answers: Answers
    problems: tuple[Problem, ...]


def decode_results(codebook: Codebook, item: ItemText, results: object) -> Decoding:
    """Whatever JSON comes, this answers and never raises."""
    reading = Reading(codebook, item)
    if isinstance(results, list):
        for number, raw in enumerate(results, start=1):
            reading.read(number, raw)
    else:
        reading.problems.append(messages.unreadable_results())
    answers = canonical_answers(codebook, item, settled_values(reading), reading.spans, settled_flag(reading))
    problems = [*reading.problems, *contradictions(reading)]
    # What seems to be missing may stand in the rows that could not be read.
    if not any(problem.kind is ProblemKind.UNREADABLE for problem in problems):
        problems.extend(check_whole(codebook, item, answers, problems))
    return Decoding(answers, tuple(dict.fromkeys(problems)))
