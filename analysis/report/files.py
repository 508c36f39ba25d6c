"""A report as a folder, with a manifest of all that went in and came out."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from analysis.report.content import (
    MANIFEST,
    REPORT,
    Manifest,
    Paragraph,
    Report,
    encode_manifest,
    encode_report,
)
from analysis.report.figures.draw import draw
from analysis.report.latex import latex_figure, latex_main, latex_methods, latex_table
from analysis.tables import csv_findings


class FolderTaken(FileExistsError):
    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder} is there already and not empty: name a folder that is not there.")


def write_report(folder: Path, report: Report, *, inputs: Mapping[str, str]) -> Manifest:
    """The same report gives the same bytes. `inputs` has the sha256 of everything that went in, by name."""
    if folder.exists() and any(folder.iterdir()):
        raise FolderTaken(folder)
    written = {}
    for path, content in report_files(report):
        at = folder / path
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_bytes(content)
        written[path] = hashlib.sha256(content).hexdigest()
    manifest = Manifest(inputs=dict(sorted(inputs.items())), files=dict(sorted(written.items())))
    (folder / MANIFEST).write_bytes(encode_manifest(manifest))
    return manifest


def report_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """Every file but the manifest, by path."""
    yield REPORT, encode_report(report)
    yield "methods.md", markdown_methods(report).encode()
    yield "methods.tex", latex_methods(report.methods).encode()
    yield "main.tex", latex_main(report).encode()
    names = {code.id: code.name for code in report.facts.codebook.codes}
    for table in report.tables:
        yield f"tables/{table.name}.csv", csv_findings(table.findings, names).encode()
        yield f"tables/{table.name}.tex", latex_table(table).encode()
    for chart in report.charts:
        drawn = draw(chart)
        for file_format, content in drawn.files.items():
            yield f"figures/{chart.name}.{file_format}", content
        yield f"figures/{chart.name}.tex", latex_figure(chart, drawn.inches).encode()


def markdown_methods(report: Report) -> str:
    return f"# Methods\n\n{''.join(_paragraph(each) for each in report.methods)}".rstrip("\n") + "\n"


def _paragraph(paragraph: Paragraph) -> str:
    return f"**{paragraph.title}.** {paragraph.text}\n\n"
