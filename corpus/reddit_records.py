"""Decodes lines of a Reddit dump into the few fields that matter, with the line number of a broken one."""

import codecs
from dataclasses import replace
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from corpus.errors import BrokenEncoding, BrokenRecord, InputError, WrongType
from corpus.lines import LineChunk

Score = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
# A line nested too deep for the decoder is as broken as one that is no JSON
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Submission(msgspec.Struct, gc=False):
    id: str = ""
    subreddit: str | None = None
    title: str | None = None
    selftext: str | None = None
    author: str | None = None
    created_utc: int | float | str | None = None
    score: Score | None = None
    removed_by_category: str | None = None


class Comment(msgspec.Struct, gc=False):
    id: str = ""
    subreddit: str | None = None
    body: str | None = None
    author: str | None = None
    created_utc: int | float | str | None = None
    score: Score | None = None
    link_id: str | None = None
    parent_id: str | None = None


RecordT = TypeVar("RecordT")

_ADVICE = "Nothing was imported. Mend the line, or import with skip_broken_lines=True to count such lines."


def decode_chunk(
    decoder: msgspec.json.Decoder[RecordT], chunk: LineChunk, path: Path, *, skip_broken: bool
) -> tuple[list[RecordT], int]:
    """The records of a chunk and how many lines were broken."""
    if chunk.first_line == 1:
        chunk = replace(chunk, data=chunk.data.removeprefix(codecs.BOM_UTF8))
    try:
        return decoder.decode_lines(chunk.data), 0
    except UNREADABLE:
        return _decode_one_by_one(decoder, chunk, path, skip_broken=skip_broken)


def _decode_one_by_one(
    decoder: msgspec.json.Decoder[RecordT], chunk: LineChunk, path: Path, *, skip_broken: bool
) -> tuple[list[RecordT], int]:
    records: list[RecordT] = []
    broken = 0
    for number, line in enumerate(chunk.data.split(b"\n"), start=chunk.first_line):
        if not line.strip():
            continue
        try:
            records.append(decoder.decode(line))
        except UNREADABLE as error:
            broken += 1
            if not skip_broken:
                raise _line_error(path, number, error) from error
    return records, broken


def _line_error(path: Path, number: int, error: Exception) -> InputError:
    place = f"line {number:,}"
    if isinstance(error, UnicodeDecodeError):
        return BrokenEncoding(path, place, "the line is not UTF-8.", _ADVICE)
    if isinstance(error, msgspec.ValidationError):
        return WrongType(path, place, f"a field has the wrong type ({error}).", _ADVICE)
    return BrokenRecord(path, place, f"the line is not a JSON object ({error}).", _ADVICE)
