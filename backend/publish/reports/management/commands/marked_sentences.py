"""Describes what people marked in a release, from the terminal."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.collected_passages import release_passages
from analysis.lexicon import LexiconUnreadable, read_lexicon
from analysis.report.codes import codes_of
from analysis.report.content import ReportOptions
from analysis.report.facts import CodebookFacts, ReportFacts
from analysis.report.material import ReportInput
from annotation.release.read import ReadRelease, read_release
from backend.publish.reports.making import MARKED_SENTENCES


class Command(BaseCommand):
    help = (
        "Describe the sentences that people marked in a release with texts: commonest words and pairs of words, scores"
        " by a lexicon, topics, each against the other sentences. Writes a folder of tables and figures."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", type=Path, metavar="RELEASE", help="Folder of a release with texts.")
        parser.add_argument("out", type=Path, metavar="OUT", help="Folder to make; it must be empty.")
        parser.add_argument(
            "--lexicon", type=Path, metavar="FILE", help="Scores the words: sentiment, emotions."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        from analysis.report.build import build_report
        from analysis.report.files import FolderTaken, write_report

        inputs = {}
        try:
            release = read_release(options["release"])
            given = _input(release, options["lexicon"])
            if options["lexicon"] is not None:
                inputs["lexicon"] = hashlib.sha256(options["lexicon"].read_bytes()).hexdigest()
            if not given.passages:
                raise CommandError(
                    "Nothing is marked in this release, or it holds no texts: take one that was frozen with --texts and"
                    " whose codebook asks for sentences or evidence."
                )
            report = build_report(given, ReportOptions(sections=(MARKED_SENTENCES,)))
            write_report(options["out"], report, inputs={**inputs, "release": release.manifest.hash})
        except (ValueError, LexiconUnreadable, FolderTaken) as problem:
            raise CommandError(str(problem)) from problem
        for section in report.sections:
            for sentence in (*section.sentences, *section.missing):
                self.stdout.write(sentence)
        self.stdout.write(str(options["out"]))


def _input(release: ReadRelease, lexicon: Path | None) -> ReportInput:
    codebook = release.codebook
    return ReportInput(
        posts=None,
        replies=None,
        facts=ReportFacts(
            study=release.manifest.name,
            codebook=CodebookFacts(title=codebook.title, codes=codes_of(codebook)),
        ),
        passages=release_passages(release.rows, codebook),
        lexicon=None if lexicon is None else read_lexicon(lexicon),
    )
