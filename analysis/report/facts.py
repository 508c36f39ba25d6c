"""What is known about a study besides its labels, so that the methods can be written down and nothing invented."""

from __future__ import annotations

import msgspec

from analysis.preregistration import PlanFacts
from analysis.report.wording import in_order
from codebook.schema import Part


class LevelFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A step of an ordered answer; `is_found` where it says that the code is there."""

    value: int
    label: str
    is_found: bool


class CodeFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`short` is for the axes of figures; a code without levels is a tick. Of a rating, no level says “found”."""

    id: str
    name: str
    part: Part
    category: str = ""
    short: str = ""
    levels: tuple[LevelFacts, ...] = ()

    @property
    def label(self) -> str:
        return self.short or self.name

    @property
    def is_rating(self) -> bool:
        return bool(self.levels) and not any(level.is_found for level in self.levels)


class CodebookFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: str
    edition: int | None = None
    edition_hash: str = ""
    codes: tuple[CodeFacts, ...] = ()


class CommunityFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    n_posts: int
    n_replies: int
    platform: str = ""
    topic: str = ""


class CorpusFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`labelled` says in words what of the corpus was labelled, and `samples` how samples were drawn from it."""

    name: str
    labelled: str = ""
    communities: tuple[CommunityFacts, ...] = ()
    samples: tuple[str, ...] = ()


class Score(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Of a code; None where it is not defined."""

    code: str
    value: float | None
    low: float | None = None
    high: float | None = None


class AnnotationFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`measure` is what agreement is given in, such as Fleiss' κ, on `n_items` that several people judged."""

    n_annotators: int | None = None
    n_items: int | None = None
    measure: str = ""
    agreement: tuple[Score, ...] = ()


class ReleaseFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`split` has how many items each part has, by its name; `edition` is the one that it was frozen under."""

    name: str
    number: int | None = None
    edition: int | None = None
    edition_hash: str = ""
    release_hash: str = ""
    n_items: int | None = None
    split: dict[str, int] = {}


class ModelFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`scores` in `measure`, such as macro-F1, `measured_on` in words, such as the test part of release 2.

    `promotion` says in whole sentences how it entered service: whether it passed the promotion rule, and if not, why it
    was used all the same; `has_passed` is None where it was never examined. `probe` says what a context
    probe found. `unproven` has the codes that it is not shown to find better than a model that always gives the
    commonest answer, each with the reason.
    """

    adapter: str
    learner: str = ""
    configuration: str = ""
    measure: str = ""
    measured_on: str = ""
    scores: tuple[Score, ...] = ()
    promotion: str = ""
    probe: str = ""
    has_passed: bool | None = None
    unproven: dict[str, str] = {}


class GoldLeftOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Posts or replies that the release has and that cannot correct: the model has seen them, they were judged with
    suggestions in view, or how probable they were is not known."""

    part: Part
    n_seen: int = 0
    n_suggested: int = 0
    n_undrawn: int = 0

    @property
    def n(self) -> int:
        return self.n_seen + self.n_suggested + self.n_undrawn


class GoldFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The gold with known probabilities of having been drawn. `drawn` says how; `is_unseen` whether the model has seen
    none of it (None: not known), and `unseen_because` in words how that was made sure. `unlike` are codes that the
    release's edition asked otherwise than the one that the model labelled by: their gold is about something else."""

    n_posts: int = 0
    n_replies: int = 0
    drawn: str = ""
    is_unseen: bool | None = None
    unseen_because: str = ""
    unlike: tuple[str, ...] = ()
    left_out: tuple[GoldLeftOut, ...] = ()

    def left_out_of(self, part: Part) -> GoldLeftOut:
        return next((each for each in self.left_out if each.part is part), GoldLeftOut(part=part))


class ReportFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything but the study and its codebook may be unknown, and is then left out of the methods."""

    study: str
    codebook: CodebookFacts
    corpus: CorpusFacts | None = None
    annotation: AnnotationFacts | None = None
    release: ReleaseFacts | None = None
    model: ModelFacts | None = None
    gold: GoldFacts | None = None
    plan: PlanFacts | None = None
    seed: int | None = None
    software: str = ""

    def code(self, code: str) -> CodeFacts | None:
        return next((each for each in self.codebook.codes if each.id == code), None)

    def why_unproven(self, code: str) -> str:
        """Why the model is not shown to find the code; empty where it is."""
        if self.model is None:
            return "it is not known how good the model is"
        return self.model.unproven.get(code, "")


def left_out_words(each: GoldLeftOut) -> str:
    """
    >>> from codebook.schema import Part
    >>> left_out_words(GoldLeftOut(part=Part.POST, n_seen=1200, n_undrawn=3))
    '1,200 that the model had learned from and 3 of which it is not known how probable they were'
    """
    reasons = (
        (each.n_seen, "that the model had learned from"),
        (each.n_suggested, "judged with a model's suggestions in view"),
        (each.n_undrawn, "of which it is not known how probable they were"),
    )
    return in_order([f"{n:,} {reason}" for n, reason in reasons if n])
