"""Findings by code and community as panels of dots, a panel a community."""

from collections.abc import Mapping, Sequence

from analysis.report.charts import Mark, Panel, Series, mark_of
from analysis.report.material import Material
from analysis.values import Finding, Way

ByWay = Mapping[Way, Sequence[Finding]]


def community_panels(material: Material, found: ByWay, *, things: str) -> tuple[Panel, ...]:
    """Of the communities that figures show; without those that have nothing."""
    codes = list(dict.fromkeys(each.code for findings in found.values() for each in findings))
    communities = dict.fromkeys(each.where for findings in found.values() for each in findings)
    shown = material.shown_communities(things)
    return tuple(
        _panel(material, found, codes, name) for name in material.ordered(communities) if name in shown
    )


def _panel(material: Material, found: ByWay, codes: Sequence[str], community: str) -> Panel:
    series = []
    for way, findings in found.items():
        of_code = {each.code: mark_of(each) for each in findings if each.where == community}
        marks = tuple(of_code.get(code, Mark(value=None)) for code in codes)
        series.append(Series(name="", way=way, marks=marks))
    return Panel(title=community, labels=tuple(material.label(code) for code in codes), series=tuple(series))
