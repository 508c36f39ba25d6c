"""Imports a dump by the reader that knows it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from backend.design.corpora.import_requests import ImportRequest, dump_import
from backend.design.corpora.management.import_command import ImportCommand, add_dump_arguments
from corpus.registry import Option, readers


class Command(ImportCommand):
    help = "Import a dump into a corpus. Each kind explains its own options: import_dump KIND --help."

    def add_arguments(self, parser: CommandParser) -> None:
        kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
        for reader in readers().values():
            of_kind = kinds.add_parser(reader.kind, help=reader.about)
            self.add_common_arguments(of_kind)
            for option in reader.options:
                _add_option(of_kind, option)
            add_dump_arguments(of_kind)

    def import_request(self, options: dict[str, Any]) -> ImportRequest:
        names = [option.name for option in readers()[options["kind"]].options]
        given = {name: options[name] for name in (*names, "cutoff", "replace")}
        return dump_import(options["kind"], **given)


def _add_option(parser: CommandParser, option: Option) -> None:
    more: dict[str, Any] = {}
    if option.takes in ("files", "names"):
        more = {"nargs": "+" if option.is_required else "*", "default": []}
    elif not option.is_required:
        more = {"default": ""}
    parser.add_argument(
        f"--{option.name.replace('_', '-')}",
        required=option.is_required,
        metavar="FILE" if option.takes in ("file", "files") else "NAME",
        help=option.help,
        **more,
    )
