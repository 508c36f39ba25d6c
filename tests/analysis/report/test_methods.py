"""The methods say what is known and what was computed, and nothing else."""

import re
from dataclasses import replace

import msgspec
import pytest

from analysis.report.build import build_report
from analysis.report.content import Cell, Column, Report, ReportOptions, ReportTable, Row
from analysis.report.facts import GoldFacts, GoldLeftOut, ReportFacts, Score
from analysis.report.files import markdown_methods
from analysis.report.latex import (
    PAGE_WIDTH,
    WIDEST_LABEL,
    latex_figure,
    latex_main,
    latex_methods,
    latex_table,
    text_width,
)
from analysis.report.material import ReportInput
from analysis.report.methods_annotation import scores_in_words
from analysis.surrogate import Surrogate
from annotation.latex import latex_escaped
from codebook.schema import Part
from tests.analysis.report.report_fixtures import BARE_FACTS, FACTS, built_report, given_report

GIVEN = given_report(n_posts=600, n_gold=250)
WHOLE = built_report(n_posts=600, n_gold=250)


def said(report: Report, title: str) -> str:
    return next((each.text for each in report.methods if each.title == title), "")


def test_what_is_known_is_said() -> None:
    text = markdown_methods(WHOLE)
    for fact in (
        "600 posts and",
        "from 6 communities of the corpus “Six communities”",
        "“Practices”, edition 3 (sha256 edededededed…)",
        "3 annotators took part. Agreement on 100 items that several of them judged, measured by Fleiss' κ, was 0.70",
        "release 1, “First release” (sha256 abababababab…, 400 items), divided into 240 for training",
        "a fine-tuned encoder (reply and post), kept as adapter adapter-7",
        "On the test part of release 1, its macro-F1 was 0.80 for “Sharing emotions”",
        "Pearson's χ² (with Yates' correction for two groups) and Cramér's V",
        "Welch's t-test and Cohen's d in each community, and by linear and logistic regressions that hold length, time",
        "drawn with probability proportional to the number of replies plus one. The model had learned from none",
        "each fold was predicted by a model trained without it.",
        "Attune 0.1.0. Random draws used the seed 7.",
    ):
        assert fact in text, fact


def test_what_a_context_probe_found_stands_with_the_model() -> None:
    assert FACTS.model
    probed = msgspec.structs.replace(FACTS.model, probe="A context probe found that it looks at the post.")
    facts = msgspec.structs.replace(FACTS, model=probed)
    assert said(build_report(replace(GIVEN, facts=facts)), "Model").endswith("looks at the post.")


def test_what_is_not_known_is_left_out() -> None:
    bare = build_report(replace(GIVEN, facts=BARE_FACTS))
    text = markdown_methods(bare)
    assert [each.title for each in bare.methods] == ["Data", "Annotation", "Analysis", "Correction"]
    for word in ("annotators", "Agreement", "release", "adapter", "None", "seed", "edition", "sha256"):
        assert word not in text, word
    assert "Whether the model had learned from any of these items was not recorded." in text


def test_what_was_not_computed_is_not_claimed() -> None:
    assert "accepted" not in said(WHOLE, "Analysis") and "joined" not in said(WHOLE, "Analysis")
    assert GIVEN.posts
    posts = build_report(ReportInput(GIVEN.posts, None, FACTS), ReportOptions(with_corrected=False))
    analysis = said(posts, "Analysis")
    assert "number of replies" in analysis and "answered" not in analysis and "logistic" not in analysis
    assert analysis.count("Shares of codes were compared") == 1
    assert said(posts, "Correction").startswith("All estimates are naive")


@pytest.mark.parametrize(
    ("is_unseen", "words"),
    (
        (True, "The model had learned from none of these items."),
        (False, "The model had learned from some of these items"),
        (None, "was not recorded"),
    ),
)
def test_it_says_whether_the_model_had_seen_the_gold(is_unseen: bool | None, words: str) -> None:
    facts = msgspec.structs.replace(BARE_FACTS, gold=GoldFacts(is_unseen=is_unseen))
    assert words in said(build_report(replace(GIVEN, facts=facts)), "Correction")


def test_it_says_which_gold_was_left_out_and_why() -> None:
    left_out = (
        GoldLeftOut(part=Part.POST, n_seen=1200, n_suggested=30, n_undrawn=2),
        GoldLeftOut(part=Part.REPLY),
    )
    facts = msgspec.structs.replace(FACTS, gold=GoldFacts(is_unseen=True, left_out=left_out))
    assert (
        "Other settled labels were not used, of 1,232 posts (1,200 that the model had learned from, 30 judged with a"
        " model's suggestions in view and 2 of which it is not known how probable they were)."
    ) in said(build_report(replace(GIVEN, facts=facts)), "Correction")
    assert "not used" not in said(WHOLE, "Correction")


def test_items_judged_by_another_edition_than_the_models_are_said_to_be() -> None:
    assert FACTS.release
    release = msgspec.structs.replace(FACTS.release, edition=2, edition_hash="cd" * 32)
    facts = msgspec.structs.replace(FACTS, release=release)
    assert (
        "“Practices”, edition 2 (sha256 cdcdcdcdcdcd…). The model labelled by it, edition 3 (sha256 edededededed…)."
    ) in said(build_report(replace(GIVEN, facts=facts)), "Annotation")


def test_many_scores_become_a_range_and_undefined_ones_are_named() -> None:
    facts = ReportFacts(study="s", codebook=BARE_FACTS.codebook)
    many = [Score(code=f"c{at}", value=at / 20) for at in range(20)]
    assert scores_in_words(many, facts) == (
        "between 0.00 (“c0”) and 0.95 (“c19”) for 20 codes, with 0.50 in the middle"
    )
    few = [Score(code="a", value=0.5), Score(code="b", value=None)]
    assert scores_in_words(few, facts) == "0.50 for “a”, and undefined for “b”"
    assert scores_in_words(few[1:], facts) == "undefined for all codes"


def test_the_methods_say_what_stood_for_labels_and_how_far_estimates_lean_on_the_model() -> None:
    assert "its probabilities; naive estimates are of its decisions" in said(WHOLE, "Correction")
    assert "λ was chosen for each estimate" in said(WHOLE, "Correction")
    options = ReportOptions(surrogate=Surrogate.DECISION, sections=("overall",))
    assert "are its decisions, as was asked for" in said(build_report(GIVEN, options), "Correction")


def test_in_latex_signs_are_commands() -> None:
    text = latex_methods(WHOLE.methods)
    assert r"\paragraph{Correction}" in text and r"$\lambda$" in text
    assert r"$\kappa$" in text and r"$\chi^2$" in text and r"95\% interval" in text
    assert not set("κχπλ\N{MINUS SIGN}φ") & set(text)


def test_tables_in_latex_have_as_many_cells_in_every_line() -> None:
    for table in WHOLE.tables:
        for one in latex_table(table).split("\\end{table*}")[:-1]:
            n_columns = one.split("\\begin{tabular}")[1].split("pt}")[1].split("}")[0].count("r")
            inside = one.split("\\midrule\n")[1].split("\\bottomrule")[0].splitlines()
            plain = [line for line in inside if not line.startswith("\\multicolumn")]
            assert plain and all(line.replace(r"\&", "").count("&") == n_columns for line in plain)
            assert one.count("{") == one.count("}")
            assert not set("κχπ\N{MINUS SIGN}φ×") & set(one)


def test_wide_tables_go_on_in_a_second_one_and_keep_pairs_of_columns_together() -> None:
    table = next(table for table in WHOLE.tables if table.name == "regressions-answered-naive")
    assert len(table.columns) == 16
    written = latex_table(table)
    assert written.count(r"\begin{table*}") == 2 and "Part 2 of 2." in written
    assert r"\label{tab:regressions-answered-naive-2}" in written
    for head in (line for line in written.splitlines() if line.startswith(" & Diff.")):
        assert head.count("Diff.") == head.count("(t)")


def test_figures_have_a_frame_to_paste() -> None:
    whole, half = (latex_figure(WHOLE.charts[0], inches) for inches in (7.0, 3.33))
    assert r"\includegraphics[width=\textwidth," in whole and r"\label{fig:shares}" in whole
    assert r"\includegraphics[width=0.48\textwidth," in half, "as large as it was drawn"
    assert "{figures/shares.pdf}" in half and "keepaspectratio" in half


def wide_table(n_columns: int, n_rows: int = 3) -> ReportTable:
    titles = [f"r/SomeLongCommunity{at}" for at in range(n_columns)]
    cells = tuple(Cell(text="\N{MINUS SIGN}12.34", stars="***") for _ in titles)
    return ReportTable(
        name="wide",
        pair="wide",
        way=None,
        title="Wide",
        caption="A caption.",
        columns=tuple(Column(title=title, group="Difference from mean (points)") for title in titles),
        rows=tuple(Row(label="Offering reassurance and encouragement", cells=cells) for _ in range(n_rows)),
        findings=(),
    )


@pytest.mark.parametrize("table", [*WHOLE.tables, wide_table(12), wide_table(40)], ids=lambda each: each.name)
def test_no_table_is_wider_than_a_page(table: ReportTable) -> None:
    """The width of each part, as far as it can be told without LaTeX."""
    written = latex_table(table)
    label = re.search(r"p\{(\d+)pt\}", written)
    assert label and float(label[1]) <= WIDEST_LABEL
    for part in written.split(r"\begin{tabular}")[1:]:
        body = part.split(r"\midrule")[1].split(r"\bottomrule")[0].splitlines()
        lines = [line.removesuffix(r"\\").split("&")[1:] for line in body if "&" in line]
        plain = [[re.sub(r"\$\^\{(\**)\}\$|[${}\\^]", r"\1", cell) for cell in line] for line in lines]
        heads = part.split(r"\midrule")[0].splitlines()[-1].removesuffix(r"\\").split("&")[1:]
        columns = zip(heads, *plain, strict=True)
        total = sum(max(text_width(cell.strip()) for cell in column) for column in columns)
        assert float(label[1]) + total + 12 * len(heads) <= 1.02 * PAGE_WIDTH


def test_a_long_table_goes_on_on_the_next_page() -> None:
    assert latex_table(wide_table(2, n_rows=100)).count(r"\begin{table*}") > 2


def test_a_document_has_all_of_it_with_the_packages_that_are_named() -> None:
    main = latex_main(WHOLE)
    for table in WHOLE.tables:
        assert rf"\input{{tables/{table.name}.tex}}" in main
    for chart in WHOLE.charts:
        assert rf"\input{{figures/{chart.name}.tex}}" in main
    assert r"\input{methods.tex}" in main and main.count(r"\clearpage") == len(WHOLE.sections)
    assert all(rf"\usepackage{{{name}}}" in main for name in ("array", "booktabs", "graphicx"))
    assert latex_escaped(WHOLE.summary[0]) in main
