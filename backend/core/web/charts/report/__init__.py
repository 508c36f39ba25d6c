"""The charts of a report on a page: the same data as its printed figures, with a tip for every mark."""

from backend.core.web.charts.report.figure import Choice, ReportFigure, report_figures

__all__ = ["Choice", "ReportFigure", "report_figures"]
