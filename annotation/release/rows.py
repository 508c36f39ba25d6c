"""What a release holds, item by item and label by label: the one form that files are written from and read into."""

from dataclasses import dataclass
from enum import StrEnum

from annotation.answers import Features
from codebook.schema import Part


class LabelSource(StrEnum):
    """How a label came about. The last six say why there is none."""

    ADJUDICATED = "adjudicated"
    AGREED = "agreed"
    SINGLE = "single"
    MAJORITY = "majority"
    TIE = "tie"
    DAWID_SKENE = "dawid-skene"
    MACE = "mace"
    MEDIAN = "median"
    IMPORTED = "imported"
    NOT_ASKED = "not-asked"
    SUPERSEDED = "superseded"
    TOO_FEW = "too-few"
    UNPLACED = "unplaced"
    OPEN_TIE = "open-tie"
    NOT_CARRIED = "not-carried"

    @property
    def has_value(self) -> bool:
        return self not in (
            LabelSource.NOT_ASKED,
            LabelSource.SUPERSEDED,
            LabelSource.TOO_FEW,
            LabelSource.UNPLACED,
            LabelSource.OPEN_TIE,
            LabelSource.NOT_CARRIED,
        )


# Each possible answer with the share of annotators who gave it, in order
Shares = tuple[tuple[int, float], ...]


class SpanSource(StrEnum):
    """How the words behind a label came about."""

    ADJUDICATED = "adjudicated"
    IMPORTED = "imported"
    SINGLE = "single"
    UNION = "union"
    INTERSECTION = "intersection"
    MAJORITY = "majority"


class SplitPart(StrEnum):
    """Named as Hugging Face names them."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class Words:
    """The words text[start:end] of a part, counted in code points."""

    part: Part
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Snippet:
    """Words that stand for a label; `confidence` is the share of annotators who marked them."""

    part: Part
    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """`source` is None where there are no snippets."""

    snippets: tuple[Snippet, ...] = ()
    source: SpanSource | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """What one annotator, named by a pseudonym, said about the code, and under which edition."""

    annotator: str
    value: int
    edition: str
    words: tuple[Words, ...] = ()


class DecisionWay(StrEnum):
    """How a researcher came to a decision."""

    ACCEPTED = "accepted"
    MAJORITY = "majority"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True)
class DecisionFact:
    """Who adjudicated, by pseudonym, and in which way; reasons stay in the study."""

    adjudicator: str
    way: DecisionWay


@dataclass(frozen=True, slots=True)
class FinalLabel:
    """`value` is None where `source` says that there is no label; `edition` is the one it was judged under. `shares`
    are there in releases with soft labels alone."""

    code: str
    value: int | None
    source: LabelSource
    confidence: float | None
    weight: float
    edition: str | None
    is_superseded: bool
    n_annotators: int
    evidence: Evidence
    votes: tuple[Vote, ...]
    decision: DecisionFact | None
    shares: Shares = ()


@dataclass(frozen=True, slots=True)
class DrawFact:
    """That a sample drew the item for a batch that somebody judged, and with which probabilities it could have.

    `batch` names the batch of active learning, if the item came to be judged through one alone: then the first two
    probabilities are those of both draws, the sample's and the batch's. Where other items of the post were in the
    pool too, the post had more chances than `post_probability` says. `stream` says what brought it into the
    batch, chance or its strategy. Older releases have no batches, or no streams.
    """

    sample: str
    inclusion_probability: float
    post_probability: float
    reply_probability: float
    batch: str = ""
    stream: str = ""


@dataclass(frozen=True, slots=True)
class Texts:
    """Only in releases that asked for them; older ones have no features."""

    title: str
    post: str
    reply: str | None
    features: Features | None = None


@dataclass(frozen=True, slots=True)
class ReleaseItem:
    """`suggested_by` are the ids of adapters whose suggestion was in view of somebody whose judgment counts here. Such
    an item teaches, but it does not measure: people may have followed the model. Older releases have none."""

    item_id: str
    platform: str
    community: str
    post_id: str
    reply_id: str | None
    flagged: bool
    draws: tuple[DrawFact, ...]
    texts: Texts | None
    suggested_by: tuple[str, ...] = ()

    @property
    def inclusion_probability(self) -> float | None:
        """Of the one draw that brought it. After several, designs must be combined by who knows them: see `draws`."""
        return self.draws[0].inclusion_probability if len(self.draws) == 1 else None

    @property
    def post(self) -> tuple[str, str, str]:
        """What a split keeps together."""
        return (self.platform, self.community, self.post_id)


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """An item with its labels, in the order of the codebook, and the part of the split that it is in."""

    item: ReleaseItem
    split: SplitPart
    labels: tuple[FinalLabel, ...]
