"""The folder of a report: read it, and see whether it still is what was made."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from analysis.report.content import MANIFEST, REPORT, Manifest, ReportUnreadable, decode_report
from analysis.report.content import Report as Content
from annotation.release.manifest import file_names
from backend.publish.reports.errors import FolderMissing, NotAsMade
from backend.publish.reports.models import Report


def read_manifest(report: Report) -> Manifest:
    """Refuses one that is not what the report was made with."""
    content = _read(report, MANIFEST)
    if hashlib.sha256(content).hexdigest() != report.manifest_hash:
        raise NotAsMade([MANIFEST])
    return msgspec.json.decode(content, type=Manifest)


def read_content(report: Report) -> Content:
    """What the page is drawn from, if it is what was made."""
    content = _read(report, REPORT)
    if hashlib.sha256(content).hexdigest() != read_manifest(report).files[REPORT]:
        raise NotAsMade([REPORT])
    try:
        return decode_report(content)
    except ReportUnreadable as error:
        raise NotAsMade([str(error)]) from error


def problems_of(report: Report) -> list[str]:
    """Of every file; empty if all are what was made."""
    return folder_problems(report.folder, report.manifest_hash)


def folder_problems(folder: Path, manifest_hash: str) -> list[str]:
    """What is not as it was when the report was made, wherever its folder lies."""
    try:
        content = (folder / MANIFEST).read_bytes()
        manifest = msgspec.json.decode(content, type=Manifest)
    except (OSError, msgspec.DecodeError):
        return [f"{MANIFEST} cannot be read"]
    problems = []
    if hashlib.sha256(content).hexdigest() != manifest_hash:
        problems.append(f"{MANIFEST} is not the one that was made")
    there = set(file_names(folder)) - {MANIFEST}
    problems += [f"{name} does not belong here" for name in sorted(there - set(manifest.files))]
    for name, digest in manifest.files.items():
        if name not in there:
            problems.append(f"{name} is missing")
        elif hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            problems.append(f"{name} was changed")
    return problems


def file_of(report: Report, name: str) -> bytes | None:
    """One file of the report, None if it has none of this name."""
    digest = read_manifest(report).files.get(name)
    if digest is None:
        return _read(report, MANIFEST) if name == MANIFEST else None
    content = _read(report, name)
    if hashlib.sha256(content).hexdigest() != digest:
        raise NotAsMade([name])
    return content


def _read(report: Report, name: str) -> bytes:
    try:
        return (report.folder / name).read_bytes()
    except OSError as error:
        raise FolderMissing(report.folder) from error
