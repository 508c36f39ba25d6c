"""Rows of a Stack Exchange XML file, fed in blocks, with everything refused that a dump never needs."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

import py7zr
from lxml import etree
from py7zr.io import Py7zIO, WriterFactory

from corpus.errors import BrokenEncoding, BrokenXml, DamagedSource, DoctypeRefused, InputError, WrongFormat
from corpus.rules import ReadLimits
from corpus.sources import ByteSource, OutputGuard

_BLOCK = 2**18
_MEMBER = "Posts.xml"

Row = tuple[
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
    str | None,
]


class RowTarget:
    """lxml calls this for each element; the attributes come out as plain tuples in ATTRIBUTES order."""

    ATTRIBUTES = (
        "Id",
        "PostTypeId",
        "ParentId",
        "AcceptedAnswerId",
        "CreationDate",
        "Score",
        "Title",
        "Body",
        "OwnerUserId",
        "OwnerDisplayName",
    )

    def __init__(self, path: Path) -> None:
        self.rows: list[Row] = []
        self._path = path

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "row":
            get = attributes.get
            self.rows.append(
                (
                    get("Id"),
                    get("PostTypeId"),
                    get("ParentId"),
                    get("AcceptedAnswerId"),
                    get("CreationDate"),
                    get("Score"),
                    get("Title"),
                    get("Body"),
                    get("OwnerUserId"),
                    get("OwnerDisplayName"),
                )
            )
        elif tag != "posts":
            raise WrongFormat(
                self._path,
                f"element <{tag}>",
                "this is not a Posts.xml.",
                "Give the file Posts.xml of the dump.",
            )

    def doctype(self, name: str, public_id: str | None, system_id: str | None) -> None:
        raise DoctypeRefused(
            self._path,
            "before the first element",
            "the file declares a DOCTYPE, which no dump does and which could pull in other files.",
            "Nothing was imported. Get the dump from its publisher.",
        )

    def close(self) -> list[Row]:
        return self.rows


class RowFeeder:
    """Takes blocks of XML and hands over rows in batches of a fixed size."""

    def __init__(self, path: Path, batch: int, on_rows: Callable[[list[Row]], None]) -> None:
        self._path = path
        self._batch = batch
        self._on_rows = on_rows
        self._target = RowTarget(path)
        # With every DOCTYPE refused there are no entities but XML's own five, which have to be resolved.
        self._parser = etree.XMLParser(
            target=cast("etree.ParserTarget", self._target), encoding="utf-8", no_network=True, load_dtd=False
        )
        self._seen = 0

    def feed(self, block: bytes) -> None:
        try:
            self._parser.feed(block)
        except etree.XMLSyntaxError as error:
            raise self._broken_input(error) from error
        while len(self._target.rows) >= self._batch:
            self._hand_over()

    def finish(self) -> None:
        try:
            self._parser.close()
        except etree.XMLSyntaxError as error:
            raise self._broken_input(error) from error
        while self._target.rows:
            self._hand_over()

    def _hand_over(self) -> None:
        rows = self._target.rows
        batch, self._target.rows = rows[: self._batch], rows[self._batch :]
        self._seen += len(batch)
        self._on_rows(batch)

    def _broken_input(self, error: etree.XMLSyntaxError) -> InputError:
        number = self._seen + len(self._target.rows) + 1
        place = f"row element {number:,}"
        advice = "Nothing was imported. Download the dump again."
        if "encod" in str(error) or "UTF-8" in str(error):
            return BrokenEncoding(self._path, place, f"the file is not UTF-8 ({error}).", advice)
        return BrokenXml(self._path, place, f"the XML is broken or cut off ({error}).", advice)


def feed_file(path: Path, limits: ReadLimits, feeder: RowFeeder, on_consumed: Callable[[int], None]) -> None:
    """Pushes a whole file through the feeder; `on_consumed` hears how many bytes of the file are done."""
    if path.suffix.lower() == ".7z":
        _feed_archive(path, limits, feeder, on_consumed)
    else:
        with ByteSource(path, limits) as source:
            while block := source.read(_BLOCK):
                on_consumed(source.consumed)
                feeder.feed(block)
    feeder.finish()


class _FeedingMember(Py7zIO):
    """Stands where py7zr would write a file, and passes the bytes on instead."""

    def __init__(
        self, guard: OutputGuard, archive_bytes: int, feeder: RowFeeder, hear: Callable[[int], None]
    ) -> None:
        self._guard = guard
        self._archive_bytes = archive_bytes
        self._feeder = feeder
        self._hear = hear
        self.written = 0

    def write(self, s: bytes | bytearray) -> int:
        self._guard.add(len(s), self._archive_bytes)
        self.written += len(s)
        self._hear(self.written)
        self._feeder.feed(bytes(s))
        return len(s)

    def read(self, size: int | None = None) -> bytes:
        return b""

    def seek(self, offset: int, whence: int = 0) -> int:
        return offset

    def flush(self) -> None:
        """Nothing is held back."""

    def size(self) -> int:
        return self.written


class _OneMember(WriterFactory):
    def __init__(self, member: _FeedingMember) -> None:
        self._member = member

    def create(self, filename: str) -> Py7zIO:
        return self._member


def _feed_archive(
    path: Path, limits: ReadLimits, feeder: RowFeeder, on_consumed: Callable[[int], None]
) -> None:
    archive_bytes = path.stat().st_size
    try:
        with py7zr.SevenZipFile(path, "r") as archive:
            members = archive.list()
            if _MEMBER not in {member.filename for member in members}:
                raise WrongFormat(
                    path,
                    "table of contents",
                    f"there is no {_MEMBER} in it.",
                    "Give the archive of one site.",
                )
            # What lies before the member is unpacked as well, so the declared total counts.
            declared = sum(member.uncompressed for member in members)
            OutputGuard(path, limits).add(declared, archive_bytes)

            def hear(written: int) -> None:
                on_consumed(min(archive_bytes, archive_bytes * written // max(declared, 1)))

            member = _FeedingMember(OutputGuard(path, limits), archive_bytes, feeder, hear)
            archive.extract(targets=[_MEMBER], factory=_OneMember(member))
    except InputError:
        raise
    except (
        Exception
    ) as error:  # py7zr lets errors of its decoders and many of its own pass, under no common name
        raise DamagedSource(
            path,
            "archive",
            f"the .7z cannot be read ({type(error).__name__}).",
            "Nothing was imported. Download it again.",
        ) from error
