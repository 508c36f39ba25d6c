"""What a release cannot do, said in its data card without being asked."""

from collections.abc import Iterator, Mapping

from annotation.consensus.values import Method
from annotation.release.card_blocks import Block, Bullets, Heading
from annotation.release.card_facts import CardFacts
from annotation.release.card_words import LEFT_OUT_WORDS, TIES_WORDS, number_of, superseded_words
from annotation.release.manifest import Counts
from annotation.release.rows import LabelSource, SplitPart
from annotation.release.split_table import SplitTable


def limits(facts: CardFacts, counts: Counts, notes: Mapping[str, str], table: SplitTable) -> Iterator[Block]:
    left_out = [f"Left out, {LEFT_OUT_WORDS.get(why, why)}: {n:,}" for why, n in counts.left_out.items()]
    always = "A confidence is that of the method that made the label, not the probability of being true."
    yield Heading(2, "Limits")
    yield Bullets(
        (
            *left_out,
            *_of_samples(facts),
            *_of_labels(facts, counts),
            *_of_consensus(facts, counts, notes),
            *_of_themes(facts),
            *_of_parts(table),
            always,
        )
    )


def _of_samples(facts: CardFacts) -> Iterator[str]:
    for sample in facts.samples:
        if sample.n_released < sample.n_items:
            yield (
                f"Only {sample.n_released:,} of the {sample.n_items:,} items of the sample “{sample.name}” are here: "
                "an estimate for its population has to allow for the rest."
            )
    if len(facts.samples) > 1:
        yield "Several samples: the flat files give an inclusion probability only where one draw brought the item."
    if facts.n_undrawn:
        yield f"{number_of(facts.n_undrawn, 'item')} no sample drew: no inclusion probability is known."


def _of_labels(facts: CardFacts, counts: Counts) -> Iterator[str]:
    if facts.n_unfinished:
        items = number_of(facts.n_unfinished, "item")
        yield f"{items} somebody else still had to judge when the release was frozen."
    if facts.n_suggested:
        items = number_of(facts.n_suggested, "item")
        yield (
            f"{items} somebody judged with a model's suggestion in view (`suggested_by` says whose): they may be "
            "learned from, and are left out when models are measured."
        )
        yield from facts.suggesting
    if counts.superseded:
        yield superseded_words(facts.request, counts.superseded)
    if len(facts.editions_judged_under) > 1:
        editions = ", ".join(map(str, facts.editions_judged_under))
        yield f"Judged under editions {editions} of the codebook; each label says which."


def _of_consensus(facts: CardFacts, counts: Counts, notes: Mapping[str, str]) -> Iterator[str]:
    """Ties are counted by label; a method that weighs annotators tells itself how far to trust it."""
    ties, clear = (counts.by_source.get(source, 0) for source in (LabelSource.TIE, LabelSource.MAJORITY))
    if ties:
        yield (
            f"Ties among the labels that were settled by the majority: {ties:,} of {ties + clear:,}. Each "
            f"{TIES_WORDS[facts.request.ties]}, and nobody's majority is behind it."
        )
    if facts.request.consensus in (Method.DAWID_SKENE, Method.MACE):
        themes: dict[str, list[str]] = {}
        for theme, note in notes.items():
            themes.setdefault(note, []).append(theme)
        yield from (f"{', '.join(named)}: {note}" for note, named in themes.items())


def _of_parts(table: SplitTable) -> Iterator[str]:
    """Which themes cannot be learned, chosen for or tested, because a part has none of them."""
    for at, (part, n) in enumerate(zip(SplitPart, table.items, strict=False)):
        missing = [row.theme for row in table.rows if row.total.n and not row.cells[at].n]
        if n and missing:
            yield f"Found in the release and not in its {part} part: {', '.join(missing)}."
        elif not n:
            yield f"The {part} part is empty."


def _of_themes(facts: CardFacts) -> Iterator[str]:
    rare = [f"{theme} ({100 * share:.1f}%)" for theme, share in facts.rare_themes if share]
    never = [theme for theme, share in facts.rare_themes if not share]
    if rare:
        yield f"Found in few items, so that measures on them rest on few cases: {', '.join(rare)}."
    if never:
        yield f"Found in no item: {', '.join(never)}."
