"""Imports a Reddit dump."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from backend.design.corpora.import_requests import ImportRequest, RedditImport
from backend.design.corpora.management.import_command import ImportCommand, add_dump_arguments


class Command(ImportCommand):
    help = "Import Reddit submissions and comments (.zst, .gz or plain NDJSON) into a corpus."

    def add_import_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--submissions", nargs="+", required=True, metavar="FILE")
        parser.add_argument("--comments", nargs="*", default=[], metavar="FILE")
        parser.add_argument("--communities", nargs="*", default=[], help="Only these subreddits.")
        add_dump_arguments(parser)

    def import_request(self, options: dict[str, Any]) -> ImportRequest:
        return RedditImport(
            submissions=options["submissions"],
            comments=options["comments"],
            communities=options["communities"],
            cutoff=options["cutoff"],
            replace=options["replace"],
        )
