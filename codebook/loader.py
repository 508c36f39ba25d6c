"""Turns a YAML file into a Codebook, or into the list of everything that is wrong in it."""

import re
from collections.abc import Mapping
from pathlib import Path

from codebook.contrast_pairs import read_contrast_pairs
from codebook.hotkeys import read_hotkeys
from codebook.levels import read_levels
from codebook.links import Links
from codebook.node_reader import NodeReader, Place
from codebook.problems import CodebookError, Problem
from codebook.schema import AnswerKind, Code, Codebook, Evidence, Example, Part, Question
from codebook.yaml_tree import MAX_BYTES, read_tree

_SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SLUG_RIGHT = "use small letters, digits and single hyphens, starting with a letter, as in asking-advice"
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")

_CODEBOOK_KEYS = ("name", "title", "description", "language", "parts", "questions")
_QUESTION_KEYS = ("id", "part", "category", "text", "answer", "codes")
_QUESTION_EXTRAS = ("context", "evidence", "levels", "contrast_pairs")
_CODE_KEYS = ("id", "name", "definition", "applies", "not_applies", "examples", "hotkey", "colour")
_CODE_EXTRAS = ("answered_by", "contrast_pairs", "formerly")


def load_codebook(path: Path) -> Codebook:
    """Reads a codebook file. Raises CodebookError with every problem found."""
    source = str(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        wrong = f"the file cannot be read ({error.strerror})"
        raise CodebookError((Problem(source, 1, "", wrong, "check its path and permissions"),)) from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CodebookError(
            (Problem(source, line, "", "this is not UTF-8", "save the file as UTF-8"),)
        ) from error
    return parse_codebook(text, source=source)


def parse_codebook(text: str, *, source: str, max_bytes: int = MAX_BYTES) -> Codebook:
    """Reads a codebook from YAML text; `source` names it in error messages."""
    reader = NodeReader(source)
    codebook = _codebook(reader, Place(read_tree(text, source=source, max_bytes=max_bytes), ""))
    problems = reader.problems()
    if problems:
        raise CodebookError(problems)
    return codebook


def _codebook(reader: NodeReader, place: Place) -> Codebook:
    fields = reader.mapping(place, _CODEBOOK_KEYS)
    parts = _parts(reader, fields.get("parts"))
    links = Links(reader)
    codebook = Codebook(
        name=_slug(reader, fields.get("name")),
        title=reader.line_text(fields.get("title")),
        description=reader.paragraphs_text(fields.get("description")),
        language=reader.matching(
            fields.get("language"), _LANGUAGE, "write a language code such as en or pt-BR"
        ),
        parts=parts,
        questions=tuple(
            _question(reader, entry, parts, links) for entry in reader.sequence(fields.get("questions"))
        ),
    )
    links.check(codebook)
    return codebook


def _slug(reader: NodeReader, place: Place | None) -> str:
    return reader.matching(place, _SLUG, _SLUG_RIGHT)


def _parts(reader: NodeReader, place: Place | None) -> tuple[Part, ...]:
    found: list[Part] = []
    for entry in reader.sequence(place):
        part = reader.choice(entry, Part)
        if part in found:
            reader.report(entry, f"the part {part} is listed twice", "list each part once")
        elif part is not None:
            found.append(part)
    if place is not None and found == [Part.REPLY]:
        reader.report(place, "a reply is never shown without its post", "list both: [post, reply]")
    return tuple(found)


def _question(reader: NodeReader, place: Place, parts: tuple[Part, ...], links: Links) -> Question:
    fields = reader.mapping(place, _QUESTION_KEYS, _QUESTION_EXTRAS)
    question_id = _slug(reader, fields.get("id"))
    reader.unique(fields.get("id"), "question id", question_id)
    part = _declared_part(reader, fields.get("part"), parts)
    answer = reader.choice(fields.get("answer"), AnswerKind) or AnswerKind.TICK
    levels = read_levels(reader, place, fields.get("levels"), answer)
    keys_per_code = len(levels) if answer.has_levels else 1
    return Question(
        id=question_id,
        part=part,
        context=_context(reader, fields.get("context"), part, parts),
        category=reader.line_text(fields.get("category")),
        text=reader.line_text(fields.get("text")),
        answer=answer,
        evidence=_evidence(reader, place, fields.get("evidence"), answer),
        levels=levels,
        codes=tuple(
            _code(reader, entry, keys_per_code, part, answer, links)
            for entry in reader.sequence(fields.get("codes"))
        ),
        contrast_pairs=read_contrast_pairs(reader, fields.get("contrast_pairs"), part, answer),
    )


def _declared_part(reader: NodeReader, place: Place | None, parts: tuple[Part, ...]) -> Part:
    part = reader.choice(place, Part)
    if place is not None and part is not None and parts and part not in parts:
        right = f"add it to `parts`, or use {' or '.join(parts)}"
        reader.report(place, f"the part {part} is not among the codebook's `parts`", right)
    return part or Part.POST


def _context(
    reader: NodeReader, place: Place | None, part: Part, parts: tuple[Part, ...]
) -> tuple[Part, ...]:
    """A reply is read under its post unless the file says otherwise; a post is read alone."""
    if place is None:
        return (Part.POST,) if part is Part.REPLY and Part.POST in parts else ()
    context: list[Part] = []
    for entry in reader.sequence(place, may_be_empty=True):
        found = _declared_part(reader, entry, parts)
        if found is part:
            reader.report(
                entry, f"the question judges the {found} itself", "list only other parts as context"
            )
        elif found in context:
            reader.report(entry, f"the part {found} is listed twice", "list each part once")
        else:
            context.append(found)
    return tuple(context)


def _evidence(reader: NodeReader, question: Place, place: Place | None, answer: AnswerKind) -> Evidence:
    if place is None:
        if answer.takes_evidence:
            reader.report(
                question, f"`{question.path}` has no `evidence`", f"add one of {', '.join(Evidence)}"
            )
        return Evidence.NONE
    evidence = reader.choice(place, Evidence) or Evidence.NONE
    if evidence is not Evidence.NONE and not answer.takes_evidence:
        right = "write none, or leave the key out"
        reader.report(place, f"a question answered by {answer} cannot ask for evidence", right)
    return evidence


def _code(reader: NodeReader, place: Place, keys: int, part: Part, answer: AnswerKind, links: Links) -> Code:
    fields = reader.mapping(place, _CODE_KEYS, _CODE_EXTRAS)
    code_id = _slug(reader, fields.get("id"))
    name = reader.line_text(fields.get("name"))
    reader.unique(fields.get("id"), "code id", code_id)
    reader.unique(fields.get("name"), "code name", name)
    examples = read_examples(reader, fields.get("examples"))
    return Code(
        id=code_id,
        name=name,
        definition=reader.paragraphs_text(fields.get("definition")),
        applies=_texts(reader, fields.get("applies")),
        not_applies=_texts(reader, fields.get("not_applies")),
        examples_for=examples["for"],
        examples_against=examples["against"],
        hotkey=read_hotkeys(reader, fields.get("hotkey"), keys),
        colour=_colour(reader, fields.get("colour")),
        answered_by=links.read(fields.get("answered_by"), part),
        contrast_pairs=read_contrast_pairs(reader, fields.get("contrast_pairs"), part, answer),
        formerly=_formerly(reader, fields.get("formerly"), code_id),
    )


def _formerly(reader: NodeReader, place: Place | None, own: str) -> tuple[str, ...]:
    found: list[str] = []
    for entry in reader.sequence(place):
        code_id = _slug(reader, entry)
        if code_id == own:
            right = "leave it out: a code continues the one with its own id anyway"
            reader.report(entry, f"the code {code_id!r} names itself in `formerly`", right)
        elif code_id in found:
            reader.report(entry, f"the code {code_id!r} is listed twice", "list each code once")
        elif code_id:
            found.append(code_id)
    return tuple(found)


def _texts(reader: NodeReader, place: Place | None) -> tuple[str, ...]:
    return tuple(reader.line_text(entry) for entry in reader.sequence(place))


def _colour(reader: NodeReader, place: Place | None) -> str:
    colour = reader.matching(
        place, _COLOUR, "write six hexadecimal digits in quotes, as in '#8fb8de'"
    ).lower()
    reader.unique(place, "colour", colour)
    return colour


def read_examples(reader: NodeReader, place: Place | None) -> Mapping[str, tuple[Example, ...]]:
    fields = reader.mapping(place, ("for", "against")) if place is not None else {}
    return {
        side: tuple(_example(reader, entry) for entry in reader.sequence(fields.get(side)))
        for side in ("for", "against")
    }


def _example(reader: NodeReader, place: Place) -> Example:
    """Either a bare text or a text with the reason why it does or does not count."""
    if not place.is_mapping:
        return Example(reader.line_text(place))
    fields = reader.mapping(place, ("text", "why"))
    return Example(reader.line_text(fields.get("text")), reader.line_text(fields.get("why")))
