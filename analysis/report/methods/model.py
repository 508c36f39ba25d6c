"""Which model gave the labels, how good it is, and how its answers were counted."""

from analysis.report.facts import ModelFacts, ReportFacts
from analysis.report.material import Material
from analysis.report.methods.scores import scores_in_words


def model(material: Material) -> list[str]:
    known = material.facts.model
    return [*(_of(known, material.facts) if known else ()), *material.level_notes]


def _of(known: ModelFacts, facts: ReportFacts) -> list[str]:
    learner = known.learner or "a model"
    how = f" ({known.configuration})" if known.configuration else ""
    said = [f"All items were labelled by {learner}{how}, kept as adapter {known.adapter}."]
    if known.promotion:
        said.append(known.promotion)
    if known.scores and known.measure:
        on = f"On {known.measured_on}, its" if known.measured_on else "Its"
        said.append(f"{on} {known.measure} was {scores_in_words(known.scores, facts)}.")
    return said
