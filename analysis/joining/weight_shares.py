"""What a sample drew and what batch after batch took of it, and how much of the sample each judged unit stands for.

Weights are those of `learning.learning_curves.gold_weights`: each batch is a stage with the probability of coming
into it, what was left, and how much of it is usable. A post may have several items in a sample; each of them stands
for its share of the post, one by their number, so that a post that is more often asked about does not count more
(the weight share method: Lavallée 2007, Indirect Sampling).
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from codebook.schema import Part
from learning.learning_curves.gold_weights import StagedItem, gold_weights
from learning.query_strategies.names import Stream

Key = tuple[str, str, str | None]


@dataclass(frozen=True, slots=True)
class SampledItem:
    """`probability` is that of the pair, `given_post` that of the reply once its post is drawn."""

    item_id: str
    community: str
    post_id: str
    reply_id: str | None
    post_probability: float
    given_post: float
    probability: float

    def key(self, part: Part) -> Key:
        return (self.community, self.post_id, None if part is Part.POST else self.reply_id)


@dataclass(frozen=True, slots=True)
class DealtBatch:
    """What a batch took of a sample: the stream and probability of each item that a strategy drew for it, None for the
    others. `is_chosen` where they were not dealt by chance; `is_of_sample` where it was made from this one."""

    name: str
    items: Mapping[str, tuple[Stream, float] | None]
    is_chosen: bool = False
    is_of_sample: bool = True


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """All that a sample drew, what batches took of it in their order, and which samples' posts it left out.

    Items that were `set_aside`, as for practice, were never in the pool and are taken to be like the rest.
    """

    name: str
    items: Mapping[str, SampledItem] = field(default_factory=dict)
    batches: tuple[DealtBatch, ...] = ()
    left_out: frozenset[str] = frozenset()
    set_aside: frozenset[str] = frozenset()

    def brought(self, item_id: str) -> bool:
        """Whether a batch that was made from this sample has the item."""
        return any(batch.is_of_sample and item_id in batch.items for batch in self.batches)

    def stage_of(self, item_id: str) -> str:
        """What brought an item to be judged, in words: the sample, or a chosen batch of it."""
        chose = (batch.name for batch in self.batches if batch.is_chosen and item_id in batch.items)
        name = next(chose, None)
        return f"{self.name} · {name}" if name else self.name


def weights_within(sample: SampleFacts, part: Part, usable: Collection[str]) -> dict[Key, float]:
    """By post or reply: how many of those that the sample drew it stands for. `usable` are ids of judged items."""
    asked = {
        name: item for name, item in sample.items.items() if part is Part.POST or item.reply_id is not None
    }
    n_items = Counter(item.key(part) for item in asked.values())
    shares = {name: 1 / n_items[item.key(part)] for name, item in asked.items()}
    found: dict[Key, float] = defaultdict(float)
    for name, weight in gold_weights(list(_stages(sample, shares, frozenset(usable)))).items():
        found[asked[name].key(part)] += weight
    return dict(found)


def _stages(
    sample: SampleFacts, shares: Mapping[str, float], usable: frozenset[str]
) -> Iterator[list[StagedItem]]:
    left = sum(shares.values())
    aside = DealtBatch("", dict.fromkeys(sorted(sample.set_aside)))
    for batch in (aside, *sample.batches):
        own = {name: drawn for name, drawn in batch.items.items() if name in shares}
        size = sum(shares[name] for name in own)
        is_known = batch is not aside and any(name in usable for name in own)
        # What another sample's batch took, and nobody can use, is taken to be like the rest: as a rule it is little
        is_dealt = not batch.is_chosen if batch.is_of_sample else not is_known
        at_random = min(size / left, 1.0) if is_dealt and left > 0 else None
        stage = []
        for name, drawn in own.items():
            stream, probability = drawn if drawn and batch.is_of_sample else (Stream.RANDOM, at_random)
            is_labelled = is_known and name in usable
            stage.append(StagedItem(name, stream, probability, 1.0, is_labelled, shares[name]))
        yield stage
        left -= size
