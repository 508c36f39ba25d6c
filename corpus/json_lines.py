"""Reads dumps of one JSON object per line, chunk by chunk, with the line number of a broken one."""

import codecs
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import msgspec

from corpus.errors import BrokenEncoding, BrokenRecord, InputError, WrongType
from corpus.importing import Meter
from corpus.lines import LineChunk, line_chunks, read_ahead
from corpus.rules import ImportRules
from corpus.sources import ByteSource
from corpus.staging import BackgroundWriter, Place, StagedChunk

# A line nested too deep for the decoder is as broken as one that is no JSON
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
RecordT = TypeVar("RecordT")

_ADVICE = "Nothing was imported. Mend the line, or import with skip_broken_lines=True to count such lines."


def stage_json_lines(
    path: Path,
    number: int,
    place: Place,
    rules: ImportRules,
    decoder: msgspec.json.Decoder[RecordT],
    prepare: Callable[[Sequence[RecordT], int], Callable[[], StagedChunk]],
    writer: BackgroundWriter,
    meter: Meter,
) -> None:
    """From `place` on. `prepare` gets the records of a chunk and how many of its lines were broken; what it gives back
    runs in the writing thread: the two take turns on the same chunk."""
    offset, lines = place.offset, place.records
    with ByteSource(path, rules.limits) as source:
        for chunk in read_ahead(line_chunks(source, rules.limits, offset=offset, lines=lines)):
            records, broken = decode_chunk(decoder, chunk, path, skip_broken=rules.skip_broken_lines)
            made = prepare(records, broken)
            offset, lines = chunk.offset, chunk.last_line
            writer.submit(number, Place(offset, lines), made)
            meter.at(number, chunk.consumed, lines)
    writer.submit(number, Place(offset, lines, ended=True), StagedChunk)


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
