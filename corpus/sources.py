"""Bytes of plain, .gz and .zst files, with a bound on how far a small file may expand."""

import hashlib
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError

from corpus.errors import (
    DamagedSource,
    EmptySource,
    OutputLimitExceeded,
    SourceMissing,
    TruncatedSource,
    WrongFormat,
)
from corpus.records import SourceFile
from corpus.rules import ReadLimits

_MOST_FRAMES = 10_000
_READ_SIZE = 2**20
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPABLE = b"\x2a\x4d\x18"
_GZIP_MAGIC = b"\x1f\x8b"
_SEVEN_ZIP_MAGIC = b"7z\xbc\xaf\x27\x1c"
# Archives of Reddit are packed with a window of 2 GiB.
_ZSTD_OPTIONS = {int(DecompressionParameter.window_log_max): 31}


def fingerprint(path: Path) -> SourceFile:
    if not path.is_file():
        raise SourceMissing(path, "", "there is no such file.", "Check the path.")
    with path.open("rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
    size = path.stat().st_size
    if size == 0:
        raise EmptySource(path, "", "the file is empty.", "Download or export it again.")
    return SourceFile(name=path.name, bytes=size, sha256=digest)


class _Decoder(Protocol):
    """The part that zlib and zstd decompressors share, seen through one face."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    @property
    def needs_input(self) -> bool: ...

    def decode(self, data: bytes, max_length: int) -> bytes: ...


class _ZstdFrame:
    def __init__(self) -> None:
        self._inner = ZstdDecompressor(options=_ZSTD_OPTIONS)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return self._inner.needs_input

    def decode(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(data, max_length)


class _GzipMember:
    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decode(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


@dataclass
class OutputGuard:
    """Stops a file that expands further than the limits allow."""

    path: Path
    limits: ReadLimits
    produced: int = 0

    def add(self, produced: int, consumed: int) -> None:
        self.produced += produced
        limits = self.limits
        if self.produced > limits.max_output_bytes:
            self._refuse(f"expands to more than {limits.max_output_bytes:,} bytes.", "max_output_bytes")
        if self.produced > limits.ratio_after_bytes and self.produced > limits.max_ratio * max(consumed, 1):
            self._refuse(f"expands to more than {limits.max_ratio:g} times its size.", "max_ratio")

    def _refuse(self, problem: str, setting: str) -> None:
        raise OutputLimitExceeded(
            self.path,
            f"byte {self.produced:,} of the output",
            problem,
            f"Nothing was imported. If the file is trusted, raise {setting} in the limits.",
        )


class ByteSource:
    """Sequential reading of the uncompressed bytes; `consumed` counts bytes of the file itself."""

    def __init__(self, path: Path, limits: ReadLimits) -> None:
        self.path = path
        self.consumed = 0
        self._guard = OutputGuard(path, limits)
        self._file: BinaryIO = path.open("rb")
        try:
            self._new_decoder = _decoder_for(path, self._file)
        except WrongFormat:
            self._file.close()
            raise
        self._decoder: _Decoder | None = None
        self._pending = b""
        self._frames = 0
        self._ended = False

    def __enter__(self) -> "ByteSource":
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes, fewer only at the end."""
        pieces: list[bytes] = []
        missing = size
        while missing > 0 and not self._ended:
            piece = self._read_some(missing)
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def skip(self, size: int) -> None:
        while size > 0 and not self._ended:
            size -= len(self._read_some(min(size, _READ_SIZE)))

    def _read_some(self, size: int) -> bytes:
        if self._new_decoder is None:
            data = self._take(size)
            self._ended = not data
            return data
        try:
            data = self._decode_some(size)
        except (ZstdError, zlib.error) as error:
            raise DamagedSource(
                self.path,
                self._place(),
                f"the compressed data is damaged ({error}).",
                "Download the file again.",
            ) from error
        self._guard.add(len(data), self.consumed)
        return data

    def _decode_some(self, size: int) -> bytes:
        if self._decoder is None or self._decoder.eof:
            return self._start_next_frame()
        data = b""
        if self._decoder.needs_input:
            data = self._pending or self._take(_READ_SIZE)
            self._pending = b""
            if not data:
                raise TruncatedSource(
                    self.path,
                    self._place(),
                    "the compressed data stops in the middle.",
                    "Download the file again.",
                )
        return self._decoder.decode(data, size)

    def _start_next_frame(self) -> bytes:
        if self._decoder is not None:
            self._pending = self._decoder.unused_data
            self._frames += 1
            if self._frames > _MOST_FRAMES:
                raise DamagedSource(
                    self.path,
                    self._place(),
                    f"the file is cut into more than {_MOST_FRAMES:,} compressed pieces.",
                    "Pack it again in one piece.",
                )
        self._pending = self._pending or self._take(_READ_SIZE)
        if not self._pending:
            self._ended = True
        elif self._new_decoder is not None:
            self._decoder = self._new_decoder()
        return b""

    def _take(self, size: int) -> bytes:
        data = self._file.read(size)
        self.consumed += len(data)
        return data

    def _place(self) -> str:
        return f"byte {self.consumed:,} of the file"


def _decoder_for(path: Path, file: BinaryIO) -> type[_ZstdFrame] | type[_GzipMember] | None:
    head = file.read(6)
    file.seek(0)
    found: type[_ZstdFrame] | type[_GzipMember] | None = None
    if head.startswith(_ZSTD_MAGIC) or (head[1:4] == _ZSTD_SKIPPABLE and head[0] >> 4 == 5):
        found = _ZstdFrame
    elif head.startswith(_GZIP_MAGIC):
        found = _GzipMember
    expected = {".zst": _ZstdFrame, ".gz": _GzipMember}.get(path.suffix.lower())
    if found is not expected or head.startswith(_SEVEN_ZIP_MAGIC):
        raise WrongFormat(
            path,
            "byte 0",
            "the content does not fit the file's ending.",
            "Name Zstandard files .zst, gzip files .gz, and uncompressed ones neither.",
        )
    return found
