"""The data card: what is in a release, who made it and how, what it cannot do; written from the facts alone."""

from collections.abc import Iterator, Mapping

import yaml

from annotation.agreement.registry import Statistic, short_table_statistics
from annotation.release.card_blocks import Block, Bullets, Command, Heading, Paragraph, Table, to_markdown
from annotation.release.card_facts import AgreementFact, AgreementRow, CardFacts
from annotation.release.card_limits import limits
from annotation.release.card_words import (
    SOURCE_WORDS,
    consensus_words,
    interval,
    number_of,
    spans_words,
)
from annotation.release.manifest import Counts
from annotation.release.rows import LabelSource, SplitPart
from annotation.release.soft_labels import card_section
from annotation.release.split_table import SplitTable, table_block


def data_card(facts: CardFacts, counts: Counts, notes: Mapping[str, str], table: SplitTable) -> str:
    """With the YAML header that Hugging Face reads; `notes` are those of the consensus, by theme."""
    blocks = [
        *_what(facts, counts),
        *_who(counts),
        *_sampling_blocks(facts),
        *_labelling_blocks(facts, counts),
        *_agreement(facts),
        *(card_section(facts.soft_labels, counts.annotators) if facts.request.soft_labels else ()),
        *_split(facts, table),
        *limits(facts, counts, notes, table),
        *_use(facts),
    ]
    return f"---\n{_header(facts, counts)}---\n\n{to_markdown(blocks)}"


def _header(facts: CardFacts, counts: Counts) -> str:
    files = [
        {"split": part.value, "path": f"data/{part.value}.parquet"}
        for part in SplitPart
        if counts.by_split.get(part.value)
    ]
    header = {
        "pretty_name": facts.name,
        "language": [facts.language],
        "license": "other" if facts.request.licence else "unknown",
        **({"license_name": facts.request.licence} if facts.request.licence else {}),
        "task_categories": ["text-classification"],
        "configs": [{"config_name": "default", "data_files": files}],
    }
    return yaml.safe_dump(header, sort_keys=False, allow_unicode=True)


def _what(facts: CardFacts, counts: Counts) -> Iterator[Block]:
    yield Heading(1, facts.name)
    if facts.edition.is_older:
        yield Paragraph(
            f"Made under an older codebook: edition {facts.edition.number}, while edition {facts.edition.newest} was "
            "the newest when this release was frozen."
        )
    yield Paragraph(
        f"Release {facts.number} of the study “{facts.study.name}”: {number_of(counts.items, 'item')} from "
        f"{number_of(counts.posts, 'post')}, labelled with the codebook “{facts.codebook_title}”, edition "
        f"{facts.edition.number}."
    )
    if facts.description:
        yield Paragraph(facts.description)
    yield Bullets(
        (
            f"Codebook: codebook.json, sha256 {facts.edition.hash}",
            f"Platforms: {', '.join(facts.platforms) or 'none'}",
            f"Texts: {'included word for word' if facts.request.texts else 'not included; ids lead to them'}",
            "Spans count code points from 0, the end is not included",
        )
    )
    yield Heading(2, "Communities")
    yield Table(("Community", "Items"), tuple((name, f"{n:,}") for name, n in facts.communities))


def _who(counts: Counts) -> Iterator[Block]:
    yield Heading(2, "Who made the labels")
    if not counts.annotators and not counts.adjudicators:
        yield Paragraph(
            "The labels came in a table with the texts. Who made them, and how, its source has to say."
        )
        return
    yield Paragraph(
        f"{number_of(counts.annotators, 'annotator')} judged the items, each without seeing the others' answers. "
        f"{number_of(counts.adjudicators, 'researcher')} adjudicated. The files name them by keyed pseudonyms, which "
        "are the same in all releases of the study and cannot be undone without its key."
    )


def _sampling_blocks(facts: CardFacts) -> Iterator[Block]:
    yield Heading(2, "How the items were drawn")
    if facts.samples:
        yield Table(
            ("Sample", "Design", "Seed", "Drawn", "In this release"),
            tuple(
                (
                    sample.name,
                    sample.design,
                    str(sample.seed),
                    f"{sample.n_items:,}",
                    f"{sample.n_released:,}",
                )
                for sample in facts.samples
            ),
            first_number=2,
        )
        yield Bullets(
            tuple(f"Frame of “{sample.name}”: sha256 {sample.frame_hash}" for sample in facts.samples)
        )
    else:
        yield Paragraph("No sample drew these items, so inclusion probabilities are not known.")


def _labelling_blocks(facts: CardFacts, counts: Counts) -> Iterator[Block]:
    yield Heading(2, "How the labels were made")
    if facts.batches:
        yield Table(
            ("Batch", "Kind", "Edition", "Items", "Annotators"),
            tuple(
                (batch.name, batch.kind, str(batch.edition), f"{batch.n_items:,}", str(batch.n_annotators))
                for batch in facts.batches
            ),
            first_number=2,
        )
    yield Table(
        ("Label is", "Meaning", "Labels"),
        tuple(
            (source, SOURCE_WORDS[LabelSource(source)], f"{n:,}") for source, n in counts.by_source.items()
        ),
        first_number=2,
    )
    if counts.annotators:
        yield Paragraph(consensus_words(facts.request.consensus, facts.request.ties))
        yield Paragraph(spans_words(facts.request.spans))
    if facts.decisions:
        ways = ", ".join(f"{way.lower()}: {n:,}" for way, n in facts.decisions)
        yield Paragraph(f"Adjudicated items, by how they were decided: {ways}.")


def _agreement(facts: CardFacts) -> Iterator[Block]:
    yield Heading(2, "Agreement before adjudication")
    if not facts.agreement:
        yield Paragraph("No report on agreement was there when this release was frozen.")
    for report in facts.agreement:
        yield from _report(report)


def _report(report: AgreementFact) -> Iterator[Block]:
    so_far = " so far, because it was not complete" if report.is_partial else ""
    yield Paragraph(f"Batch “{report.batch}”{so_far}, with 95% bootstrap intervals:")
    yield Table(
        ("Theme", *map(_head, short_table_statistics()), "Items"),
        tuple(_measures(row) for row in report.rows),
    )
    if report.alpha_check:
        yield Paragraph(f"Krippendorff’s alpha: {report.alpha_check}.")
    warnings = tuple(f"{row.theme}: {row.warning}" for row in report.rows if row.warning)
    if warnings:
        yield Bullets(warnings)


def _head(statistic: Statistic) -> str:
    label = statistic.label.replace("'", "’")
    return label[0].upper() + label[1:]


def _measures(row: AgreementRow) -> tuple[str, ...]:
    estimates = (row.estimates.get(each.name) for each in short_table_statistics())
    return (row.theme, *map(interval, estimates), f"{row.n_items:,}")


def _split(facts: CardFacts, table: SplitTable) -> Iterator[Block]:
    yield Heading(2, "Split")
    ratio = ":".join(str(share) for share in facts.request.ratio)
    dealt = (
        "The tables that the labels came from say which item is in which part."
        if facts.is_split_given
        else f"Posts were dealt {ratio} with seed {facts.request.seed}, all items of a post into one part, rare themes "
        "first."
    )
    yield Paragraph(
        f"{dealt} Numbers are of items in which the theme was found, with their share of the labelled items of the "
        "part."
    )
    if facts.request.split_like:
        yield Paragraph(
            f"Posts of the release with the hash {facts.request.split_like} are in the same part here as there."
        )
    yield table_block(table)


def _use(facts: CardFacts) -> Iterator[Block]:
    yield Heading(2, "Licence")
    licence = facts.request.licence
    yield Paragraph(licence or "No licence was given: nobody may pass the data on before its owners say how.")
    if facts.request.texts:
        yield Paragraph(
            "The texts are people's own words about their lives. Keep them where the study's data may be kept, and do "
            "not try to find out who wrote them."
        )
    yield Heading(2, "How to open, verify and cite")
    yield Command('datasets.load_dataset("THIS_FOLDER")')
    yield Command("manage.py verify_release THIS_FOLDER")
    yield Paragraph(
        f"Cite as: {facts.study.name}. {facts.name}, release {facts.number}, with the hash in manifest.json, which "
        "names this very content."
    )
