"""The formats of other annotation tools that a release can be written in."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from annotation.exchange.brat import brat_files
from annotation.exchange.conll import conll_files
from annotation.exchange.label_studio_json import label_studio_files
from annotation.exchange.uima_cas import uima_files
from annotation.release.read import read_release
from annotation.release.rows import ReleaseRow
from codebook.schema import Codebook

Files = Iterator[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class ExchangeFormat:
    name: str
    title: str
    write: Callable[[Codebook, Iterable[ReleaseRow]], Files]


FORMATS = {
    each.name: each
    for each in (
        ExchangeFormat("label-studio", "Label Studio JSON", label_studio_files),
        ExchangeFormat("conll", "CoNLL", conll_files),
        ExchangeFormat("brat", "brat standoff", brat_files),
        ExchangeFormat("xmi", "UIMA CAS XMI (INCEpTION, WebAnno)", uima_files),
    )
}


def export_files(folder: Path, format_name: str, *, expected_hash: str = "") -> Files:
    """Of a release that verifies. Raises ReleaseBroken and NoTexts."""
    release = read_release(folder, expected_hash=expected_hash)
    return FORMATS[format_name].write(release.codebook, release.rows)


def zip_files(files: Files) -> bytes:
    """The same files give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        for name, content in files:
            into.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
