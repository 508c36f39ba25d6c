"""Makes one answer of all that was chosen for a control, and notices where two stand for one."""

from annotation.answers import Flag
from annotation.label_studio.decoding import messages
from annotation.label_studio.decoding.controls import CommentBox, FlagBox, LevelChoice, TickBoxes
from annotation.label_studio.decoding.reading import Reading
from annotation.problems import Problem


def settled_values(reading: Reading) -> dict[str, int]:
    """Ticks and levels by code id; a level for which two were chosen has no value."""
    values: dict[str, int] = {}
    for name, choices in reading.chosen.items():
        control = reading.controls.by_name[name]
        chosen = list(frozenset[str]().union(*choices))
        match control:
            case TickBoxes():
                values.update(dict.fromkeys(chosen, 1))
            case LevelChoice() if len(chosen) == 1:
                values[control.code.id] = int(chosen[0])
    return values


def settled_flag(reading: Reading) -> Flag | None:
    """A comment alone is no flag: its box was unticked again."""
    flagged = any(
        isinstance(reading.controls.by_name[name], FlagBox) and any(choices)
        for name, choices in reading.chosen.items()
    )
    return Flag("\n".join(filter(None, dict.fromkeys(reading.comments)))) if flagged else None


def contradictions(reading: Reading) -> list[Problem]:
    found = []
    for name, choices in reading.chosen.items():
        control = reading.controls.by_name[name]
        at_most_one = isinstance(control, LevelChoice)
        if len(set(choices)) > 1 or (at_most_one and len(choices[0]) > 1):
            found.append(messages.two_answers(*messages.asked_by(control)))
    if len(set(reading.comments)) > 1:
        found.append(messages.two_answers(*messages.asked_by(CommentBox())))
    return found
