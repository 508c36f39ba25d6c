"""Reads typed values out of a YAML tree and collects every problem instead of stopping at the first."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

import yaml

from codebook.problems import Problem
from codebook.text_form import one_line, paragraphs, unprintable

MAX_PROBLEMS = 100

_Choice = TypeVar("_Choice", bound=StrEnum)

_INTEGER = re.compile(r"-?[0-9]{1,6}")
_NULL = "tag:yaml.org,2002:null"


@dataclass(frozen=True, slots=True)
class Place:
    """A node and the path that leads to it, such as `questions[0].codes[2].hotkey`."""

    node: yaml.Node
    path: str

    @property
    def line(self) -> int:
        return int(self.node.start_mark.line) + 1

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    @property
    def key(self) -> str:
        return self.path.rsplit(".", 1)[-1]


class NodeReader:
    """Each method answers with a harmless stand-in once it has reported a problem: reading goes on."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._problems: list[Problem] = []
        self._seen: dict[tuple[str, str], Place] = {}

    def problems(self) -> tuple[Problem, ...]:
        """In the order of the file, cut off where nobody would read on."""
        found = sorted(self._problems, key=lambda problem: problem.line)
        shown, left = found[:MAX_PROBLEMS], found[MAX_PROBLEMS:]
        if left:
            wrong = f"{len(left)} more problems follow"
            shown.append(Problem(self._source, left[0].line, "", wrong, "correct those above first"))
        return tuple(shown)

    def report(self, place: Place, wrong: str, right: str) -> None:
        self._problems.append(Problem(self._source, place.line, place.path, wrong, right))

    def mapping(
        self, place: Place, required: tuple[str, ...], optional: tuple[str, ...] = ()
    ) -> Mapping[str, Place]:
        allowed = required + optional
        if not isinstance(place.node, yaml.MappingNode):
            self.report(
                place, f"{_name(place)} is {_kind(place.node)}", f"give it the keys {_list_keys(allowed)}"
            )
            return {}
        fields: dict[str, Place] = {}
        for key_node, value_node in place.node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else ""
            key_place = Place(key_node, _join(place.path, key or "?"))
            if key in fields:
                self.report(key_place, f"the key `{key}` appears twice", "keep one of them")
            elif key not in allowed:
                self._report_unknown_key(key_place, key, allowed)
            else:
                fields[key] = Place(value_node, key_place.path)
        for key in required:
            if key not in fields:
                self.report(place, f"{_name(place)} has no `{key}`", f"add `{key}:`")
        return fields

    def _report_unknown_key(self, place: Place, key: str, allowed: tuple[str, ...]) -> None:
        near = get_close_matches(key, allowed, n=1, cutoff=0.6)
        right = f"did you mean `{near[0]}`?" if near else f"allowed here: {_list_keys(allowed)}"
        self.report(place, f"the key `{_shorten(key)}` is not known", right)

    def sequence(self, place: Place | None, *, may_be_empty: bool = False) -> list[Place]:
        if place is None:
            return []
        if not isinstance(place.node, yaml.SequenceNode):
            self.report(
                place, f"`{place.key}` is {_kind(place.node)}", "write a list, each entry after a `-`"
            )
            return []
        if not place.node.value and not may_be_empty:
            self.report(place, f"`{place.key}` is an empty list", "add at least one entry")
        return [Place(node, f"{place.path}[{at}]") for at, node in enumerate(place.node.value)]

    def line_text(self, place: Place | None) -> str:
        return one_line(self._scalar(place))

    def paragraphs_text(self, place: Place | None) -> str:
        return paragraphs(self._scalar(place))

    def _scalar(self, place: Place | None) -> str:
        """The text as typed: `name: Yes` is the text Yes, and `hotkey: 1` is the key 1."""
        if place is None:
            return ""
        if not isinstance(place.node, yaml.ScalarNode):
            self.report(place, f"`{place.key}` is {_kind(place.node)}", "write a text")
            return ""
        text = str(place.node.value)
        unusable = unprintable(text)
        if unusable is not None:
            self.report(place, f"`{place.key}` holds the control character {unusable}", "remove it")
            return ""
        if not text.strip() or place.node.tag == _NULL:
            right = "write a text, in quotes if it starts with # or another sign"
            self.report(place, f"`{place.key}` is empty", right)
            return ""
        return text

    def matching(self, place: Place | None, pattern: re.Pattern[str], right: str) -> str:
        text = self.line_text(place)
        if place is None or not text:
            return ""
        if not pattern.fullmatch(text):
            self.report(place, f"`{place.key}` is {_shorten(text)!r}", right)
            return ""
        return text

    def integer(self, place: Place | None) -> int | None:
        text = self.matching(place, _INTEGER, "write a whole number")
        return int(text) if text else None

    def truth(self, place: Place | None) -> bool:
        return self.matching(place, re.compile("true|false"), "write true or false") == "true"

    def choice(self, place: Place | None, options: type[_Choice]) -> _Choice | None:
        text = self.line_text(place)
        if place is None or not text:
            return None
        if text in set(options):
            return options(text)
        near = get_close_matches(text, list(options), n=1, cutoff=0.6)
        hint = f" (did you mean {near[0]}?)" if near else ""
        right = f"allowed: {', '.join(options)}{hint}"
        self.report(place, f"`{place.key}` is {_shorten(text)!r}", right)
        return None

    def unique(self, place: Place | None, what: str, value: str) -> None:
        """Reports `value` when another place of the same kind has it already."""
        if place is None or not value:
            return
        first = self._seen.setdefault((what, value), place)
        if first is not place:
            wrong = f"the {what} {value!r} is already used in line {first.line}"
            self.report(place, wrong, f"choose another {what}")


def _kind(node: yaml.Node) -> str:
    if isinstance(node, yaml.MappingNode):
        return "a set of keys"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    return "empty" if node.tag == _NULL else "a single text"


def _name(place: Place) -> str:
    return f"`{place.path}`" if place.path else "the codebook"


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _list_keys(keys: tuple[str, ...]) -> str:
    return ", ".join(keys)


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
