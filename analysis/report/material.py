"""The corpus made ready for the sections of a report: each part, as numbers and as found or not, naive and corrected.

What cannot be corrected is said once here, and not by every section again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from analysis.controls import Control
from analysis.labelled import LabelledCorpus
from analysis.lexicon import Lexicon
from analysis.marked_passages import MarkedPassages
from analysis.regressions import FEW_CLUSTERS
from analysis.report.codes import as_found, level_notes
from analysis.report.content import ReportOptions
from analysis.report.correctable import keep_correctable
from analysis.report.facts import ReportFacts
from analysis.report.wording import in_order, intervals
from analysis.surrogate import Surrogate
from analysis.values import Way

_COLUMN_OF = {Control.LENGTH: "length", Control.TIME: "created", Control.COMMUNITY: "community"}
ByWay = Mapping[Way, LabelledCorpus]


@dataclass(frozen=True, slots=True, eq=False)
class ReportInput:
    """Each part as `analysis.labelled` has it, None where it was not labelled. Codes in the codebook's order,
    with `passages` of those that mark words, which the `lexicon` scores."""

    posts: LabelledCorpus | None
    replies: LabelledCorpus | None
    facts: ReportFacts
    passages: tuple[MarkedPassages, ...] = ()
    lexicon: Lexicon | None = None

    @property
    def parts(self) -> tuple[LabelledCorpus, ...]:
        return tuple(part for part in (self.posts, self.replies) if part is not None)


@dataclass(frozen=True, slots=True, eq=False)
class PartMaterial:
    """`values` has labels as they are, `found` 0 and 1; a way that cannot be computed is not there."""

    corpus: LabelledCorpus
    values: ByWay
    found: ByWay

    @property
    def things(self) -> str:
        return self.corpus.things


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """`platforms` has that of each community, where it is known."""

    posts: PartMaterial | None
    replies: PartMaterial | None
    facts: ReportFacts
    options: ReportOptions
    notes: tuple[str, ...]
    platforms: Mapping[str, str]
    passages: tuple[MarkedPassages, ...] = ()
    lexicon: Lexicon | None = None

    @property
    def parts(self) -> tuple[PartMaterial, ...]:
        return tuple(part for part in (self.posts, self.replies) if part is not None)

    @property
    def ways(self) -> tuple[Way, ...]:
        return tuple(way for way in Way if any(way in part.values for part in self.parts))

    @property
    def clustered_by(self) -> str:
        return self.parts[0].corpus.clustered_by if self.parts else "post"

    @property
    def level_notes(self) -> tuple[str, ...]:
        return tuple(note for part in self.parts for note in level_notes(part.corpus, self.facts))

    @property
    def held_equal(self) -> str:
        """What regressions hold equal, as far as it is known of all items."""
        held = [
            control.value for control in Control if all(knows(part.corpus, control) for part in self.parts)
        ]
        return in_order(held) if held else "nothing else"

    @property
    def whiskers(self) -> str:
        return intervals("Whiskers", self.clustered_by)

    def on_naive(self, sentence: str) -> str:
        """Of a test that only naive labels allow, where others stand beside."""
        if Way.CORRECTED not in self.ways:
            return sentence
        return f"On the model's labels as they are, {sentence[0].lower()}{sentence[1:]}"

    @property
    def names(self) -> dict[str, str]:
        return {code: name for part in self.parts for code, name in part.corpus.codes.items()}

    def shown_communities(self, things: str) -> frozenset[str]:
        """The largest, as many as figures have room for."""
        part = next(part for part in self.parts if part.things == things)
        groups = part.corpus.groups("community")
        order = sorted(zip(-groups.sizes, groups.names, strict=True))
        return frozenset(name for _, name in order[: self.options.most_panels])

    def ordered(self, groups: Iterable[str]) -> list[str]:
        """Communities of one platform beside each other; anything else by its name."""
        return sorted(groups, key=lambda name: (self.platforms.get(name, ""), name.casefold(), name))

    def shown_note(self, things: str) -> str:
        """For the caption of a figure that has no room for all communities."""
        part = next(part for part in self.parts if part.things == things)
        n, most = len(part.corpus.groups("community").names), self.options.most_panels
        return f" The {most} largest of {n} communities are shown." if n > most else ""

    def name(self, code: str) -> str:
        return self.names[code]

    def label(self, code: str) -> str:
        """For the axes of figures."""
        known = self.facts.code(code)
        return known.label if known else self.name(code)

    def heading(self, code: str, things: str) -> str:
        """Under which a code stands in tables: the part, and the category of the codebook if it has one."""
        known = self.facts.code(code)
        category = known.category if known else ""
        return f"{things.capitalize()}: {category}" if category else things.capitalize()


def knows(corpus: LabelledCorpus, control: Control) -> bool:
    """Whether it is known of all items."""
    column = _COLUMN_OF[control]
    return column in corpus.items.columns and not corpus.items[column].null_count()


def material_of(given: ReportInput, options: ReportOptions) -> Material:
    notes: list[str] = []
    posts, replies = (_part(part, given.facts, options, notes) for part in (given.posts, given.replies))
    for part, things in ((posts, "posts"), (replies, "replies")):
        if part is None:
            notes.append(f"No {things} were labelled, so that nothing is said about them.")
    platforms = {name: platform for part in given.parts for name, platform in _platforms(part)}
    return Material(
        posts, replies, given.facts, options, tuple(notes), platforms, given.passages, given.lexicon
    )


def _platforms(corpus: LabelledCorpus) -> Iterable[tuple[str, str]]:
    if "platform" not in corpus.items.columns:
        return ()
    pairs = corpus.items.select("community", "platform").drop_nulls().unique().sort("community", "platform")
    return ((str(community), str(platform)) for community, platform in pairs.rows())


def _part(
    corpus: LabelledCorpus | None, facts: ReportFacts, options: ReportOptions, notes: list[str]
) -> PartMaterial | None:
    if corpus is None or not corpus.codes:
        return None
    notes += few_clusters(corpus)
    values = {Way.NAIVE: corpus}
    if options.with_corrected:
        corrected, problems = keep_correctable(corpus, facts.gold)
        notes += problems
        if corrected:
            values |= {Way.GOLD: corrected, Way.CORRECTED: _with_surrogate(corrected, options)}
    found = {way: ticks for way, each in values.items() if (ticks := as_found(each, facts))}
    return PartMaterial(corpus, values, found)


def _with_surrogate(corpus: LabelledCorpus, options: ReportOptions) -> LabelledCorpus:
    """Without probabilities where decisions are asked for."""
    if options.surrogate is Surrogate.PROBABILITY:
        return corpus
    names = [name for name in corpus.items.columns if name.startswith("probability.")]
    return replace(corpus, items=corpus.items.drop(names))


_MOST_NAMED = 6
_NOUNS = {"post": "posts", "author": "authors", "community": "communities", "item_id": "items"}


def few_clusters(corpus: LabelledCorpus) -> tuple[str, ...]:
    """A note for the whole part, or for the communities that have too few."""
    nouns = _NOUNS.get(corpus.clustered_by, corpus.clustered_by)
    if corpus.clusters.n < FEW_CLUSTERS:
        return (
            f"The {corpus.things} come from only {corpus.clusters.n} {nouns}, and intervals are clustered by them: with"
            f" fewer than {FEW_CLUSTERS} they are too narrow. Label more.",
        )
    if corpus.clustered_by == "community":
        return ()
    small = _small_communities(corpus)
    if not small:
        return ()
    named = (
        in_order(small[:_MOST_NAMED])
        if len(small) <= _MOST_NAMED
        else f"{', '.join(small[:_MOST_NAMED])} and more"
    )
    return (
        f"The {corpus.things} of {named} come from fewer than {FEW_CLUSTERS} {nouns} each, so that intervals for"
        " a single one of these communities are too narrow. Label more there, or believe only what all have in common.",
    )


def _small_communities(corpus: LabelledCorpus) -> list[str]:
    groups = corpus.groups("community")
    cells = np.unique(groups.places * corpus.clusters.n + corpus.clusters.places)
    counts = np.bincount(cells // corpus.clusters.n, minlength=len(groups.names))
    return [name for name, count in zip(groups.names, counts.tolist(), strict=True) if count < FEW_CLUSTERS]
