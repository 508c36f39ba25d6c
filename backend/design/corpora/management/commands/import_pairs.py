"""Imports post–reply pairs that a team already has."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from backend.design.corpora.import_requests import ImportRequest, PairsImport
from backend.design.corpora.management.import_command import (
    ImportCommand,
    add_column_arguments,
    given_options,
)

COLUMNS = (
    "post_text",
    "reply_text",
    "post_id",
    "reply_id",
    "title",
    "community",
    "post_author",
    "reply_author",
    "post_created",
    "reply_created",
    "post_score",
    "reply_score",
)
REQUIRED = ("post_text", "reply_text")


class Command(ImportCommand):
    help = "Import post-reply pairs from a table (CSV, JSONL or Parquet), saying which column holds what."

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_common_arguments(parser)
        parser.add_argument("--file", required=True, metavar="FILE")
        parser.add_argument("--community", help="One name for all rows; else give --community-column.")
        add_column_arguments(parser, COLUMNS, REQUIRED)
        parser.add_argument("--drop-duplicate-posts", action="store_true")
        parser.add_argument(
            "--replace", action="store_true", help="Replace communities that are there already."
        )

    def import_request(self, options: dict[str, Any]) -> ImportRequest:
        return PairsImport.model_validate(given_options(options, PairsImport))
