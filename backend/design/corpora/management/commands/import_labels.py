"""Imports labels that a team already has."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from backend.design.corpora.import_requests import ImportRequest, LabelsImport
from backend.design.corpora.management.import_command import (
    ImportCommand,
    add_column_arguments,
    given_options,
)

COLUMNS = ("post_id", "reply_id", "value", "annotator", "code", "spans", "quotes")
REQUIRED = ("post_id", "value")


class Command(ImportCommand):
    help = "Import labels from a table (CSV, JSONL or Parquet) onto posts or replies of a corpus."

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_common_arguments(parser)
        parser.add_argument("--file", required=True, metavar="FILE")
        parser.add_argument("--label-set", required=True, help="Several files can go into one set.")
        parser.add_argument("--part", choices=["post", "reply"], default="reply", help="What is labelled.")
        parser.add_argument("--community", help="Only where ids repeat between communities.")
        parser.add_argument("--annotator", help="One name for all rows; else give --annotator-column.")
        parser.add_argument("--code", help="One code for all rows; else give --code-column.")
        parser.add_argument("--separator", default="|", help="What stands between quotes (default: |).")
        add_column_arguments(parser, COLUMNS, REQUIRED)

    def import_request(self, options: dict[str, Any]) -> ImportRequest:
        return LabelsImport.model_validate(given_options(options, LabelsImport))
