"""The dumps that can be imported. Each has a file in `readers/` with its `READER`; nothing else lists them.

Forms, pages, API and command are made from this registry. Adding one takes its file, its test and a line in
`docs/import.md`.
"""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Literal

from corpus import readers as package
from corpus.records import ImportRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What a reader is given beside rules, as an argument of its function: files of the study, text, or names.

    Of names, none means all.
    """

    name: str
    takes: Literal["file", "files", "text", "names"]
    label: str
    help: str
    is_required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """`kind` is its name in addresses, calls and commands. `read` takes the store, the options by name, and `rules`,
    `key`, `now`, `replace` and `on_progress`."""

    kind: str
    label: str
    about: str
    options: tuple[Option, ...]
    read: Callable[..., ImportRecord]


@cache
def readers() -> dict[str, Reader]:
    """By kind, in the order of their labels."""
    names = [found.name for found in pkgutil.iter_modules(package.__path__)]
    found: list[Reader] = [import_module(f"{package.__name__}.{name}").READER for name in names]
    return {reader.kind: reader for reader in sorted(found, key=lambda reader: reader.label)}
