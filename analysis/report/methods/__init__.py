"""The methods of a report as paragraphs, from what is known and what was computed. What is not known is left out."""

from collections.abc import Sequence

from analysis.report.content import Paragraph, Section
from analysis.report.material import Material
from analysis.report.methods.analyses import analyses
from analysis.report.methods.annotating import annotation
from analysis.report.methods.correcting import correction
from analysis.report.methods.data import data
from analysis.report.methods.model import model


def methods_of(material: Material, sections: Sequence[Section]) -> tuple[Paragraph, ...]:
    made = {
        "Data": data(material),
        "Annotation": annotation(material.facts),
        "Model": model(material),
        "Analysis": analyses(material, sections),
        "Correction": correction(material),
        "Software": _software(material),
    }
    return tuple(Paragraph(title=title, text=" ".join(said)) for title, said in made.items() if said)


def _software(material: Material) -> list[str]:
    facts, said = material.facts, []
    if facts.software:
        said.append(f"All tables and figures were made with {facts.software}.")
    if facts.seed is not None:
        said.append(f"Random draws used the seed {facts.seed}.")
    return said
