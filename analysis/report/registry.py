"""The sections that a report can have. Each is a file in `sections/` that ends with `KINDS`; nothing else lists them.

Forms, API, commands, methods, summary and docs read this registry:

    python -m analysis.report.registry docs/report_content.md

writes the list of sections into the docs.
"""

from __future__ import annotations

import pkgutil
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.report import sections
from analysis.report.content import ReportOptions, Section
from codebook.schema import Part

if TYPE_CHECKING:
    from analysis.report.material import Material

_IN_DOCS = re.compile(r"(?<=<!-- sections -->\n).*(?=<!-- end of sections -->)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Methods:
    """What the methods section says of sections that are computed alike. `say` gets the ids of those that have tables;
    `family` names the tests that Holm's correction goes over."""

    say: Callable[[Material, Sequence[str]], Sequence[str]]
    family: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionKind:
    """A section as it is known before it is computed, in the `order` in which a reader asks.

    It needs the columns `needs` (`analysis.labelled`) and is only made where `part` is labelled, or where the option
    `asked_by` is set. `tables` and `figures` say what it has, for the docs. What a main section finds may stand at the
    top of the report.
    """

    id: str
    title: str
    order: int
    compute: Callable[[Material, SectionKind], Section]
    tables: str
    figures: str
    needs: tuple[str, ...] = ()
    part: Part | None = None
    asked_by: str = ""
    methods: Methods | None = None
    is_main: bool = False

    def is_for(self, material: Material) -> bool:
        options = material.options
        if self.asked_by and getattr(options, self.asked_by) == getattr(ReportOptions(), self.asked_by):
            return False
        is_there = self.part is None or any(part.corpus.part is self.part for part in material.parts)
        return is_there and (not options.sections or self.id in options.sections)


@cache
def section_kinds() -> tuple[SectionKind, ...]:
    """Of every file in `sections/`, in order."""
    names = [found.name for found in pkgutil.iter_modules(sections.__path__)]
    found: list[SectionKind] = []
    for name in names:
        found += import_module(f"{sections.__name__}.{name}").KINDS
    return tuple(sorted(found, key=lambda kind: kind.order))


def section_titles() -> dict[str, str]:
    """By id, those that may be chosen."""
    return {kind.id: kind.title for kind in section_kinds() if not kind.asked_by}


def sections_in_markdown() -> str:
    """A row for sections of one sort."""
    rows: dict[tuple[str, str], list[SectionKind]] = {}
    for kind in section_kinds():
        rows.setdefault((kind.tables, kind.figures), []).append(kind)
    lines = ["| section | needs | tables | figures |", "|---|---|---|---|"]
    for (tables, figures), kinds in rows.items():
        needs = ", ".join(dict.fromkeys(f"`{need}`" for kind in kinds for need in kind.needs))
        lines.append(f"| {'; '.join(kind.title for kind in kinds)} | {needs} | {tables} | {figures} |")
    return "\n".join(lines) + "\n"


def with_sections(markdown: str) -> str:
    """The page with the list of sections as it is now."""
    return _IN_DOCS.sub(lambda _: sections_in_markdown(), markdown)


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:]):
        page.write_text(with_sections(page.read_text()))
