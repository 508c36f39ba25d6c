"""What sets the sentences that a code marks apart from the others: words, pairs, a lexicon's scores, topics."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from analysis.marked_passages import MarkedPassages, Trait, TraitTable, compare_passages
from analysis.report.cells import cell_of, format_number, interval_cell, notes_of
from analysis.report.charts import ChartData, IntervalChart, Panel, Series, mark_of
from analysis.report.content import Cell, Column, ReportTable, Row, Section
from analysis.report.facts import ModelFacts, ReportFacts
from analysis.report.headlines import tell_clearest
from analysis.report.material import Material
from analysis.report.missing import Missing
from analysis.report.registry import Methods, SectionKind
from analysis.report.wording import errors, stars_say
from analysis.values import Way

FAMILY = "all rows of a table of marked sentences"
_TITLES = {
    Trait.WORDS: "The commonest words of marked sentences",
    Trait.PAIRS: "The commonest pairs of words of marked sentences",
    Trait.LEXICON: "Lexicon scores of marked sentences",
    Trait.TOPICS: "Topics of marked sentences",
}
_SAYS = {
    Trait.WORDS: "Share of sentences with the word, in percent, for the words that most marked sentences have",
    Trait.PAIRS: "Share of sentences with the pair of words, in percent, for the pairs that most marked sentences have",
    Trait.LEXICON: "Mean score of a sentence's words in each category of the lexicon, in hundredths",
    Trait.TOPICS: "Share of each topic, in percent; those of the marked sentences, named by their main words",
}
_COLUMNS = ("Marked", "In marked", "In others", "Difference", "95% interval")
NO_PASSAGES = (
    "Nothing can be said about marked sentences, because no code of this run marks any words. Label with a model that"
    " shows evidence, or with a codebook that asks which sentences."
)
NO_LEXICON = (
    "No lexicon was given, so that sentiment and emotions are not scored. Give one as a file (--lexicon)."
)


def marked_passages(material: Material, kind: SectionKind) -> Section:
    missing = Missing()
    tables: list[ReportTable] = []
    charts: list[ChartData] = []
    sentences: list[str] = []
    for passages in material.passages:
        if not passages.has_both:
            missing.say(f"“{passages.name}” marks all sentences or none: there is nothing to compare.")
            continue
        found = list(compare_passages(passages, material.lexicon))
        tables += [_table(material, passages, each) for each in found]
        charts += [_chart(material, passages, each) for each in found if each.trait is not Trait.TOPICS]
        for each in found:
            differences = [row.difference for row in each.rows]
            sentences += tell_clearest(
                differences, facts=_facts_with(material, passages), over=FAMILY
            ).sentences
    if not material.passages:
        missing.say(NO_PASSAGES)
    elif material.lexicon is None:
        missing.say(NO_LEXICON)
    return Section(
        name=kind.id,
        title=kind.title,
        about=(
            "How sentences that are marked for a code differ from the other sentences of the same texts: in their"
            " commonest words and pairs of words, in a lexicon's scores, and in topics."
        ),
        sentences=tuple(sentences),
        tables=tuple(tables),
        charts=tuple(charts),
        missing=missing.sentences,
    )


def _facts_with(material: Material, passages: MarkedPassages) -> ReportFacts:
    """What people marked needs no model that is shown to find it."""
    if passages.way is not Way.GOLD:
        return material.facts
    return msgspec.structs.replace(material.facts, model=ModelFacts(adapter=""))


def _table(material: Material, passages: MarkedPassages, table: TraitTable) -> ReportTable:
    findings = tuple(row.difference for row in table.rows)
    n_marked = int(passages.is_marked.sum())
    return ReportTable(
        name=f"{table.trait.value}-{passages.code}",
        pair=f"{table.trait.value}-{passages.code}",
        way=None,
        title=f"{_TITLES[table.trait]}: {passages.name}",
        caption=(
            f"{_SAYS[table.trait]}: {n_marked:,} sentences that are marked for “{passages.name}” and"
            f" {len(passages.texts) - n_marked:,} others, and their difference with 95%"
            f" intervals{errors('post')}.{_stop_words(table.trait)} {stars_say(FAMILY)}"
        ),
        columns=tuple(Column(title=title) for title in _COLUMNS),
        rows=tuple(
            Row(
                label=row.label,
                cells=(
                    Cell(text=f"{row.n_marked:,}"),
                    Cell(text=format_number(row.marked, 2, in_percent=True)),
                    Cell(text=format_number(row.unmarked, 2, in_percent=True)),
                    cell_of(row.difference, in_percent=True),
                    interval_cell(row.difference, in_percent=True),
                ),
            )
            for row in table.rows
        ),
        findings=findings,
        notes=notes_of(findings, material.names),
    )


def _stop_words(trait: Trait) -> str:
    return (
        ""
        if trait is Trait.LEXICON
        else " Words such as “the” and “and” are left out, by scikit-learn's list."
    )


def _chart(material: Material, passages: MarkedPassages, table: TraitTable) -> IntervalChart:
    marks = tuple(mark_of(row.difference) for row in table.rows)
    return IntervalChart(
        name=f"{table.trait.value}-{passages.code}",
        title=f"{_TITLES[table.trait]}: {passages.name}",
        caption=f"{_SAYS[table.trait]}: marked sentences minus the others. {material.whiskers}",
        axis="Marked minus others (points)" if table.is_share else "Marked minus others",
        unit="points" if table.is_share else "number",
        panels=(
            Panel(
                title=passages.name,
                labels=tuple(row.label for row in table.rows),
                series=(Series(name="", way=passages.way, marks=marks),),
            ),
        ),
        reference=0.0,
    )


def _methods(material: Material, done: Sequence[str]) -> Sequence[str]:
    lexicon = material.lexicon
    scored = "" if lexicon is None else f" Words were scored by the lexicon “{lexicon.name}”."
    return (
        "Sentences that are marked were compared with the other sentences of the same texts, by the words and"
        " pairs of words that they have and by the topics of a latent Dirichlet allocation."
        f"{scored} Errors are clustered by post.",
    )


KINDS = (
    SectionKind(
        id="marked-sentences",
        title="What marked sentences say",
        order=65,
        compute=marked_passages,
        tables="words, pairs of words, lexicon scores and topics of marked sentences against the others",
        figures="dots of differences",
        methods=Methods(say=_methods, family=FAMILY),
    ),
)
