"""The corpus made ready for the sections of a report: each part, as numbers and as found or not, naive and corrected.

What cannot be corrected is said once here, and not by every section again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from analysis.errors import GoldMissing, NotAnalysable
from analysis.labelled import LabelledCorpus
from analysis.labels import labels_of
from analysis.report.codes import as_found, level_notes
from analysis.report.facts import ReportFacts
from analysis.report.given import ReportInput
from analysis.report.options import ReportOptions
from analysis.values import Way

ByWay = Mapping[Way, LabelledCorpus]


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
    posts: PartMaterial | None
    replies: PartMaterial | None
    facts: ReportFacts
    options: ReportOptions
    notes: tuple[str, ...]

    @property
    def parts(self) -> tuple[PartMaterial, ...]:
        return tuple(part for part in (self.posts, self.replies) if part is not None)

    @property
    def ways(self) -> tuple[Way, ...]:
        return tuple(way for way in Way if any(way in part.values for part in self.parts))

    def name(self, code: str) -> str:
        return next(part.corpus.codes[code] for part in self.parts if code in part.corpus.codes)

    def label(self, code: str) -> str:
        """For the axes of figures."""
        known = self.facts.code(code)
        return known.label if known else self.name(code)

    def heading(self, code: str, things: str) -> str:
        """Under which a code stands in tables: the part, and the category of the codebook if it has one."""
        known = self.facts.code(code)
        category = known.category if known else ""
        return f"{things.capitalize()}: {category}" if category else things.capitalize()


def material_of(given: ReportInput, options: ReportOptions) -> Material:
    notes: list[str] = []
    posts, replies = (_part(part, given.facts, options, notes) for part in (given.posts, given.replies))
    for part, things in ((posts, "posts"), (replies, "replies")):
        if part is None:
            notes.append(f"No {things} were labelled, so that nothing is said about them.")
    return Material(posts, replies, given.facts, options, tuple(notes))


def _part(
    corpus: LabelledCorpus | None, facts: ReportFacts, options: ReportOptions, notes: list[str]
) -> PartMaterial | None:
    if corpus is None:
        return None
    notes += level_notes(corpus, facts)
    values = {Way.NAIVE: corpus}
    if options.with_corrected:
        corrected = _correctable(corpus, notes)
        if corrected:
            values[Way.CORRECTED] = corrected
    found = {way: ticks for way, each in values.items() if (ticks := as_found(each, facts))}
    return PartMaterial(corpus, values, found)


def _correctable(corpus: LabelledCorpus, notes: list[str]) -> LabelledCorpus | None:
    """The corpus of the codes that have gold; None where none has, or where gold cannot stand for the rest."""
    kept, without = {}, []
    for code, name in corpus.codes.items():
        try:
            labels_of(corpus, code, Way.CORRECTED)
            kept[code] = name
        except GoldMissing:
            without.append(name)
        except NotAnalysable as problem:
            notes.append(f"Estimates on {corpus.things} could not be corrected. {problem}")
            return None
    if not kept:
        notes.append(
            f"No {corpus.things} have gold with a known probability of having been drawn, so that all estimates on"
            " them are naive: they treat the model's labels as right. Name a release whose items were drawn from this"
            " corpus, and make the report again."
        )
        return None
    if without:
        quoted = ", ".join(f"“{name}”" for name in without)
        notes.append(f"There is no gold for {quoted} in {corpus.things}: corrected tables leave them out.")
    return replace(corpus, codes=kept)
