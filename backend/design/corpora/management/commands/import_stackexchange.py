"""Imports a Stack Exchange dump."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from backend.design.corpora.import_requests import ImportRequest, StackExchangeImport
from backend.design.corpora.management.import_command import ImportCommand, add_dump_arguments


class Command(ImportCommand):
    help = "Import the questions and answers of a Stack Exchange site (Posts.xml, or the .7z that holds it)."

    def add_import_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--posts", required=True, metavar="FILE")
        parser.add_argument("--community", required=True, help="The name the site gets in the corpus.")
        add_dump_arguments(parser)

    def import_request(self, options: dict[str, Any]) -> ImportRequest:
        return StackExchangeImport(
            posts=options["posts"],
            community=options["community"],
            cutoff=options["cutoff"],
            replace=options["replace"],
        )
