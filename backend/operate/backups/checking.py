"""Holds a backup against its manifest: every file, byte for byte, and nothing that it does not name."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from annotation.release.manifest import file_entry, file_names
from backend.operate.backups.manifest import MANIFEST, BackupManifest
from backend.operate.backups.progress import Progress, Report


def file_problems(backup: Path, manifest: BackupManifest, report: Report = lambda line: None) -> list[str]:
    there = set(file_names(backup)) - {MANIFEST}
    named = {entry.path for entry in manifest.files}
    problems = [f"{name}: the manifest does not know it" for name in sorted(there - named)]
    progress = Progress(report, "Checked", manifest.size)
    for entry in manifest.files:
        if entry.path not in there or ".." in PurePosixPath(entry.path).parts:
            problems.append(f"{entry.path}: it is not there")
        elif (backup / entry.path).is_symlink() or file_entry(backup, entry.path) != entry:
            problems.append(f"{entry.path}: its content is not what was backed up")
        progress.add(entry.size)
    return problems
