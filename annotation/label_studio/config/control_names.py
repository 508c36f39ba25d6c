"""How controls are named in Label Studio, in one place, so that results can be read back."""

import re
from dataclasses import dataclass
from enum import StrEnum

from codebook.schema import Part

POST_NAME = "post"
TITLE_KEY = "title"
POST_KEY = "post"
REPLIES_KEY = "replies"
REPLY_TEXT_KEY = "text"
ITEM_KEY = "item"
FLAG_VALUE = "discuss"

# Label Studio repeats the reply's controls per reply and puts the position where this stands.
POSITION = "{{idx}}"


class ControlKind(StrEnum):
    """`ticks` names a question, the others a code; the flag and its comment belong to the whole item."""

    TICKS = "ticks"
    LEVEL = "level"
    SPAN = "span"
    SENTENCE = "sentence"
    FLAG = "flag"
    COMMENT = "comment"


_ITEM_KINDS = (ControlKind.FLAG, ControlKind.COMMENT)
_NAME = re.compile(r"(?P<kind>[a-z]+)(_(?P<subject>[a-z][a-z0-9-]*))?(?P<position>_0)?")


@dataclass(frozen=True, slots=True)
class ControlName:
    """`subject` is the id of a question or code, and empty for the flag and its comment."""

    kind: ControlKind
    subject: str
    part: Part

    def in_config(self) -> str:
        return self._with_position(POSITION)

    def in_results(self) -> str:
        return self._with_position("0")

    def _with_position(self, position: str) -> str:
        name = f"{self.kind}_{self.subject}" if self.subject else str(self.kind)
        return f"{name}_{position}" if self.part is Part.REPLY else name


class UnknownControlError(LookupError):
    """Label Studio sent a control name that no interface of ours has."""


def read_control_name(name: str) -> ControlName:
    """The control behind a `from_name` of Label Studio's results.

    >>> read_control_name("span_offering-advice_0")
    ControlName(kind=<ControlKind.SPAN: 'span'>, subject='offering-advice', part=<Part.REPLY: 'reply'>)
    """
    found = _NAME.fullmatch(name)
    if found is None or found["kind"] not in set(ControlKind):
        raise UnknownControlError(
            f"the control {name!r} is not one of ours; was the project's config edited?"
        )
    kind, subject = ControlKind(found["kind"]), found["subject"] or ""
    if (kind in _ITEM_KINDS) == bool(subject) or (kind in _ITEM_KINDS and found["position"]):
        raise UnknownControlError(
            f"the control {name!r} has a wrong subject; was the project's config edited?"
        )
    return ControlName(kind, subject, Part.REPLY if found["position"] else Part.POST)


def text_name_in_config(part: Part) -> str:
    """The name of the text that controls of this part refer to."""
    return POST_NAME if part is Part.POST else f"reply_{POSITION}"


def text_name_in_results(part: Part) -> str:
    return POST_NAME if part is Part.POST else "reply_0"
