"""Verifies a release from the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.release.read import read_manifest
from annotation.release.verify import verify_release
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import problems_of, release_at


class Command(BaseCommand):
    help = "Hold a release against its hashes: a folder anywhere, or one of a study's by STUDY/NUMBER."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", metavar="FOLDER_OR_STUDY/NUMBER")
        parser.add_argument(
            "--hash",
            default="",
            help="The hash that was cited: without it a folder from elsewhere can only be held against itself.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(options["release"])
        release = release_at(folder) if folder.is_dir() else _find_release(options["release"])
        expected = options["hash"].strip().lower()
        if release is not None:
            folder, problems = release.folder, problems_of(release)
        else:
            problems = [str(problem) for problem in verify_release(folder, expected_hash=expected)]
        if release is not None and expected and release.hash != expected:
            problems.append(f"{release} has the hash {release.hash}, and not {expected}")
        if problems:
            raise CommandError("\n".join([f"{folder} is not as it was frozen:", *problems]))
        manifest = read_manifest(folder)
        counts = manifest.counts
        self.stdout.write(
            f"“{manifest.name}” is as it was frozen: {counts.items:,} items, {counts.labels:,} labels, {manifest.hash}"
        )


def _find_release(name: str) -> Release:
    slug, _, number = name.rpartition("/")
    found = None
    if number.isascii() and number.isdigit():
        found = Release.objects.select_related("study").filter(study__slug=slug, number=int(number)).first()
    if found is None:
        raise CommandError(f"{name} is neither a folder nor a release of a study, such as kind-words/1.")
    return found
