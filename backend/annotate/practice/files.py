"""Files of gold answers, YAML or JSON Lines: read entry by entry, with the line of each and every problem at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import TypeAlias

import yaml
from pydantic import ValidationError

from backend.annotate.practice.entries import CodeEntry, GoldEntry, entry_of
from backend.annotate.practice.errors import FileProblem, GoldFileRefused
from backend.annotate.practice.requests import GoldIn, ItemGoldIn
from backend.annotate.practice.selectors import gold_rows, read_gold
from backend.core.accounts.models import User
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.selectors import item_text
from codebook.problems import CodebookError
from codebook.schema import Codebook, Question
from codebook.yaml_tree import read_tree

MAX_BYTES = 4 * 1024 * 1024
YAML_ENDINGS = (".yaml", ".yml")
JSON_LINES_ENDINGS = (".jsonl", ".ndjson")
_Plain: TypeAlias = "str | list[_Plain] | dict[str, _Plain]"


@dataclass(frozen=True, slots=True)
class FileEntry:
    line: int
    item_id: str
    entry: GoldEntry


@dataclass(frozen=True, slots=True)
class GoldFile:
    """What could be read, and what could not."""

    entries: tuple[FileEntry, ...]
    problems: tuple[FileProblem, ...]


class _DoubleKey(ValueError):
    def __init__(self, key: str, line: int) -> None:
        super().__init__(f"the key `{key[:60]}` appears twice: keep one of them")
        self.line = line


def read_gold_file(source: str, *, file_name: str) -> GoldFile:
    """The ending says which of the two forms it is; a file without an entry is refused."""
    ending = PurePath(file_name).suffix.lower()
    if ending not in YAML_ENDINGS + JSON_LINES_ENDINGS:
        endings = ", ".join(YAML_ENDINGS + JSON_LINES_ENDINGS)
        raise GoldFileRefused(
            file_name, [FileProblem(1, "", f"the ending “{ending}” is not known: use {endings}")]
        )
    if len(source) > MAX_BYTES:
        wrong = f"the file is longer than {MAX_BYTES:,} characters: split it"
        raise GoldFileRefused(file_name, [FileProblem(1, "", wrong)])
    read = _yaml_entries if ending in YAML_ENDINGS else _json_entries
    found = list(_once(read(source.removeprefix("\ufeff"))))
    entries = tuple(entry for entry in found if isinstance(entry, FileEntry))
    problems = tuple(entry for entry in found if isinstance(entry, FileProblem))
    if not found:
        problems = (FileProblem(1, "", "the file has no entry: see docs/practice.md for its form"),)
    return GoldFile(entries, problems)


def _once(found: Iterator[FileEntry | FileProblem]) -> Iterator[FileEntry | FileProblem]:
    first: dict[str, int] = {}
    for entry in found:
        if isinstance(entry, FileEntry) and first.setdefault(entry.item_id, entry.line) != entry.line:
            wrong = f"the item stands in line {first[entry.item_id]} already: keep one of the two"
            yield FileProblem(entry.line, entry.item_id, wrong)
        else:
            yield entry


def _yaml_entries(source: str) -> Iterator[FileEntry | FileProblem]:
    if not source.strip():
        return
    try:
        root = read_tree(source, source="", max_bytes=4 * MAX_BYTES)
    except CodebookError as error:
        # What would be right is said there for codebooks
        wrong = "{}: see docs/practice.md for the form of the file"
        yield from (FileProblem(found.line, "", wrong.format(found.wrong)) for found in error.problems)
        return
    if not isinstance(root, yaml.MappingNode):
        yield FileProblem(1, "", "start each entry with an item's id and a colon, and its codes below it")
        return
    for key, value in root.value:
        line = key.start_mark.line + 1
        item_id = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
        try:
            given = GoldIn.model_validate(_plain(value))
        except _DoubleKey as error:
            yield FileProblem(error.line, item_id, str(error))
        except ValidationError as error:
            yield from _shape_problems(error, line, item_id)
        else:
            yield FileEntry(line, item_id, given.entry())


def _plain(node: yaml.Node) -> _Plain:
    """Every scalar stays the text that it is in the file: a quote that reads `no` is not a falsehood."""
    if isinstance(node, yaml.MappingNode):
        plain: dict[str, _Plain] = {}
        for key, value in node.value:
            name = str(key.value)
            if name in plain:
                raise _DoubleKey(name, key.start_mark.line + 1)
            plain[name] = _plain(value)
        return plain
    if isinstance(node, yaml.SequenceNode):
        return [_plain(entry) for entry in node.value]
    return str(node.value)


def _json_entries(source: str) -> Iterator[FileEntry | FileProblem]:
    for line, text in enumerate(source.split("\n"), start=1):
        if not text.strip():
            continue
        try:
            given = ItemGoldIn.model_validate(json.loads(text))
        except (json.JSONDecodeError, RecursionError):
            yield FileProblem(line, "", "this is not a JSON object on one line")
        except ValidationError as error:
            yield from _shape_problems(error, line, "")
        else:
            yield FileEntry(line, given.item, given.entry())


def _shape_problems(error: ValidationError, line: int, item_id: str) -> Iterator[FileProblem]:
    for found in error.errors(include_url=False, include_context=False, include_input=False):
        where = " → ".join(str(step)[:60] for step in found["loc"])
        right = (
            "allowed are value, ticked, quotes, why; codes, remark"
            if found["type"] == "extra_forbidden"
            else ""
        )
        message = "; ".join(filter(None, [found["msg"], right]))
        yield FileProblem(line, item_id, f"{where}: {message}" if where else message)


# Gold answers as a file of the same form that an import reads, so that a study's gold can be kept and taken along.
class GoldForm(StrEnum):
    YAML = "yaml"
    JSON_LINES = "jsonl"


def gold_file(edition: Edition, form: GoldForm, viewer: User | None = None) -> str:
    """The gold under this edition that the viewer may read, by item id, so that two exports compare line by line."""
    codebook = codebook_of(edition)
    entries: dict[str, dict[str, object]] = {}
    for row in gold_rows(edition.study, edition, viewer).order_by("item__item_id"):
        gold, text = read_gold(row), item_text(row.item)
        entries[text.item_id] = _write_entry(codebook, entry_of(text, gold.answers, gold.reasons))
    if form is GoldForm.JSON_LINES:
        lines = (json.dumps({"item": key} | entry, ensure_ascii=False) for key, entry in entries.items())
        return "".join(f"{line}\n" for line in lines)
    if not entries:
        return ""
    return str(yaml.safe_dump(entries, allow_unicode=True, sort_keys=False, width=110))


def _write_entry(codebook: Codebook, entry: GoldEntry) -> dict[str, object]:
    questions = {code.id: question for question, code in codebook.coded_questions()}
    codes = {
        code_id: written
        for code_id, code in entry.codes.items()
        if (written := _code(questions[code_id], code))
    }
    return ({"remark": entry.remark} if entry.remark else {}) | {"codes": codes}


def _code(question: Question, code: CodeEntry) -> dict[str, object]:
    """A tick that is not there and of which nothing is said need not be mentioned."""
    written: dict[str, object] = {}
    if question.answer.has_levels:
        written["value"] = code.value
    elif code.value or code.why:
        written["ticked"] = bool(code.value)
    if code.quotes:
        written["quotes"] = list(code.quotes)
    if code.why:
        written["why"] = code.why
    return written
