"""From a labelled corpus to its report."""

from threadpoolctl import threadpool_limits

from analysis.report.content import Report
from analysis.report.given import ReportInput
from analysis.report.material import material_of
from analysis.report.methods import methods_of
from analysis.report.options import ReportOptions
from analysis.report.sections import sections_of
from analysis.report.summary import summary_of


def build_report(given: ReportInput, options: ReportOptions | None = None) -> Report:
    """What cannot be computed is said in its section, and never stops the others. On one thread, since sums by several
    end in other last digits."""
    options = options or ReportOptions()
    with threadpool_limits(1):
        material = material_of(given, options)
        sections = tuple(sections_of(material))
        methods = methods_of(material, sections)
    return Report(
        title=options.title or f"{given.facts.study}: what the labels say",
        facts=given.facts,
        options=options,
        ways=material.ways,
        summary=summary_of(material, sections),
        sections=sections,
        methods=methods,
        notes=(*material.level_notes, *material.notes),
    )
