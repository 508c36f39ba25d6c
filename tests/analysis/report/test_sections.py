"""What holds for every section of a report, whoever adds one: the contract that each file in `sections/` inherits."""

import re
from pathlib import Path

import msgspec
import pytest

from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.report.build import build_report
from analysis.report.content import Report, ReportOptions, Section, decode_report, encode_report
from analysis.report.latex import latex_figure, latex_table
from analysis.report.material import ReportInput
from analysis.report.registry import SectionKind, section_kinds, section_titles, with_sections
from analysis.tables import csv_findings
from codebook.schema import Part
from tests.analysis.report.report_fixtures import FACTS, given_report

GIVEN = given_report(n_posts=600, n_gold=250)
KINDS = section_kinds()
IDS = [kind.id for kind in KINDS]
DOCS = Path(__file__).resolve().parents[3] / "docs" / "report_content.md"


def options_of(kind: SectionKind) -> ReportOptions:
    created = GIVEN.replies.items["created"] if GIVEN.replies else None
    assert created is not None
    window = (created.min(), created.max()) if kind.asked_by == "joined" else None
    return ReportOptions(sections=(kind.id,), joined=window)  # type: ignore[arg-type]


def alone(kind: SectionKind, given: ReportInput = GIVEN) -> Report:
    return build_report(given, options_of(kind))


def only(report: Report) -> Section:
    (section,) = report.sections
    return section


def without(part: LabelledCorpus | None, column: str) -> LabelledCorpus:
    assert part
    items = part.items.drop(column, strict=False)
    return labelled_corpus(items, part=part.part, codes=part.codes, clustered_by=part.clustered_by)


def test_ids_and_titles_are_told_apart_and_have_an_order() -> None:
    assert len({kind.id for kind in KINDS}) == len({kind.title for kind in KINDS}) == len(KINDS)
    assert len({kind.order for kind in KINDS}) == len(KINDS)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", kind.id) for kind in KINDS)
    assert set(section_titles()) == {kind.id for kind in KINDS if not kind.asked_by}


def test_the_docs_list_every_section() -> None:
    page = DOCS.read_text()
    said = "Run python -m analysis.report.registry docs/report_content.md"
    assert with_sections(page) == page and all(kind.title in page for kind in KINDS), said


def test_no_two_tables_or_figures_of_a_report_have_one_name() -> None:
    report = build_report(GIVEN)
    for named in (report.tables, report.charts):
        names = [each.name for each in named]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
class TestEverySection:
    def test_it_is_made_when_it_is_asked_for_and_says_what_it_finds_or_misses(
        self, kind: SectionKind
    ) -> None:
        section = only(alone(kind))
        assert (section.name, section.title) == (kind.id, kind.title)
        assert section.about and ((section.tables and section.charts) or section.missing)

    def test_it_comes_out_the_same_again_and_back_from_json(self, kind: SectionKind) -> None:
        report = alone(kind)
        assert encode_report(alone(kind)) == encode_report(report)
        assert decode_report(encode_report(report)) == report

    def test_tables_have_their_numbers_behind_them_and_can_be_printed(self, kind: SectionKind) -> None:
        for table in only(alone(kind)).tables:
            assert table.findings and table.rows and table.caption
            assert all(len(row.cells) == len(table.columns) for row in table.rows)
            assert csv_findings(table.findings, {}).count("\n") > len(table.findings)
            assert r"\begin{tabular}" in latex_table(table)

    def test_figures_can_be_included(self, kind: SectionKind) -> None:
        for chart in only(alone(kind)).charts:
            assert chart.caption and chart.axis and latex_figure(chart, 7.0)

    def test_tests_are_adjusted_and_methods_say_over_which(self, kind: SectionKind) -> None:
        report = alone(kind)
        tested = [found for table in report.tables for found in table.findings if found.test.p is not None]
        if all(found.test.p_holm is None for found in tested):
            return
        assert all(found.test.p_holm is not None for found in tested)
        assert kind.methods and kind.methods.family
        assert any(kind.methods.family in paragraph.text for paragraph in report.methods)

    def test_without_a_column_that_it_needs_it_says_what_to_do(self, kind: SectionKind) -> None:
        for column in kind.needs:
            if column == "community":
                continue
            given = ReportInput(without(GIVEN.posts, column), without(GIVEN.replies, column), FACTS)
            section = only(alone(kind, given))
            assert not section.tables and not section.charts and section.missing

    def test_it_is_made_only_of_the_part_that_it_is_about(self, kind: SectionKind) -> None:
        posts, replies = ReportInput(GIVEN.posts, None, FACTS), ReportInput(None, GIVEN.replies, FACTS)
        assert bool(alone(kind, posts).sections) == (kind.part is not Part.REPLY)
        assert bool(alone(kind, replies).sections) == (kind.part is not Part.POST)

    def test_without_gold_it_is_naive(self, kind: SectionKind) -> None:
        options = msgspec.structs.replace(options_of(kind), with_corrected=False)
        report = build_report(GIVEN, options)
        assert all(
            found.n_gold is None for table in report.tables for found in [f.basis for f in table.findings]
        )

    def test_a_handful_of_items_stops_nothing(self, kind: SectionKind) -> None:
        assert GIVEN.posts and GIVEN.replies
        kept = {"0", "1", "2"}
        posts, replies = (
            part.where(part.items["post"].is_in(kept).to_numpy()) for part in (GIVEN.posts, GIVEN.replies)
        )
        assert only(alone(kind, ReportInput(posts, replies, FACTS)))
