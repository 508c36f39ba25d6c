"""The gold of a release for each part: one label a post or reply and code, and how much it stands for.

Codes of posts are judged on pairs, so that one post may have been judged in several. What researchers adjudicated goes
before what annotators said; then the value that most of its items have counts, and a tie leaves the post without gold,
as a tie between annotators does.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from analysis.joining.weights import Chance, DrawnUnit, Key, SampleFacts, stands_for
from annotation.release.rows import DrawFact, LabelSource, ReleaseItem, ReleaseRow
from codebook.schema import Part

PostKey = tuple[str, str]
KEY_SCHEMA = {"community": pl.String(), "post_id": pl.String(), "reply_id": pl.String()}


@dataclass(frozen=True, slots=True)
class Gold:
    """A release's rows; `seen` are the posts that the model learned from or was set by, whose gold cannot correct it.

    `labelled_sample` is the one that was labelled, if one was: what it drew is the whole of what is asked about, and
    its items were drawn from that for certain. `batches` are those of active learning as they were opened, and
    `sampled` has the probabilities of the post and of the pair by sample and item, for what such a batch drew. `unlike`
    are codes that the release asked otherwise than the model: what it says of these is not used.
    """

    rows: Sequence[ReleaseRow]
    samples: Mapping[str, SampleFacts]
    seen: frozenset[PostKey]
    labelled_sample: str | None = None
    batches: tuple[str, ...] = ()
    sampled: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    unlike: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GoldCounts:
    """Of one part: how many units have usable gold here, and why others have none. `samples` are the stages that drew
    it, batches of active learning among them, and `drawn_from` the samples behind these."""

    n: int = 0
    n_seen: int = 0
    n_suggested: int = 0
    n_undrawn: int = 0
    samples: tuple[str, ...] = ()
    drawn_from: tuple[str, ...] = ()


def gold_frame(
    gold: Gold, part: Part, codes: Collection[str], within: pl.DataFrame
) -> tuple[pl.DataFrame, GoldCounts]:
    """A row for each unit with usable gold among those of `within`: its key, `gold_weight` and `gold.CODE`."""
    of_key: dict[Key, list[ReleaseRow]] = defaultdict(list)
    for row in gold.rows:
        if part is Part.POST or row.item.reply_id is not None:
            of_key[_key(row.item, part)].append(row)
    units = [_unit(gold, part, key, rows) for key, rows in of_key.items()]
    n_drawn = {
        name: facts.n_posts if part is Part.POST else facts.n_replies for name, facts in gold.samples.items()
    }
    left_out = {name: facts.left_out for name, facts in gold.samples.items()}
    keys = [key for key in within.select(list(KEY_SCHEMA)).iter_rows() if key in of_key]
    weights = stands_for(units, n_drawn, left_out, keys, _pooled(gold))
    columns = [f"gold.{code}" for code in codes]
    rows = [
        (*key, weight, *(_gold_of(gold, of_key[key], code) for code in codes)) for key, weight in weights.items()
    ]
    schema = {**KEY_SCHEMA, "gold_weight": pl.Float64(), **dict.fromkeys(columns, pl.Int64())}
    return pl.DataFrame(rows, schema=schema, orient="row"), _counts(gold, keys, of_key, units, weights)


def seen_posts(rows: Iterable[ReleaseRow], trained_on: Collection[str]) -> frozenset[PostKey]:
    """The posts whose items are in these parts of the split."""
    return frozenset((row.item.community, row.item.post_id) for row in rows if row.split.value in trained_on)


def _key(item: ReleaseItem, part: Part) -> Key:
    return (item.community, item.post_id, None if part is Part.POST else item.reply_id)


def _unit(gold: Gold, part: Part, key: Key, rows: Sequence[ReleaseRow]) -> DrawnUnit:
    usable = key[:2] not in gold.seen and not any(row.item.suggested_by for row in rows)
    return DrawnUnit(key, _chances(gold, part, rows), usable)


def _chances(gold: Gold, part: Part, rows: Sequence[ReleaseRow]) -> dict[str, Chance]:
    found = {draw.stage: _chance(gold, part, row.item, draw) for row in rows for draw in row.item.draws}
    own = [draw for row in rows for draw in row.item.draws if draw.sample == gold.labelled_sample]
    if own and not any(draw.batch for draw in own):
        return {own[0].sample: Chance(1.0)}
    return found


def _chance(gold: Gold, part: Part, item: ReleaseItem, draw: DrawFact) -> Chance:
    of_post, of_pair = gold.sampled.get((draw.sample, item.item_id), (None, None))
    is_certain = draw.sample == gold.labelled_sample
    if part is Part.POST:
        drawn, sampled, given_post = draw.post_probability, of_post, 1.0
    else:
        drawn, sampled, given_post = draw.inclusion_probability, of_pair, draw.reply_probability
    if is_certain and sampled:
        # What was labelled is the sample, so that only the batch drew
        return Chance(min(drawn / sampled, 1.0), 1.0, 1.0)
    return Chance(drawn, given_post, sampled)


def _pooled(gold: Gold) -> dict[str, frozenset[str]]:
    """By stage of active learning: what was judged before it was drawn from the rest of the same sample."""
    stages = {draw.stage: draw for row in gold.rows for draw in row.item.draws if draw.batch}
    order = {name: at for at, name in enumerate(gold.batches)}
    return {
        stage: frozenset(
            [
                draw.sample,
                *(
                    other
                    for other, earlier in stages.items()
                    if earlier.sample == draw.sample
                    and order.get(earlier.batch, -1) < order.get(draw.batch, -1)
                ),
            ]
        )
        for stage, draw in stages.items()
    }


def _gold_of(gold: Gold, rows: Sequence[ReleaseRow], code: str) -> int | None:
    return None if code in gold.unlike else _settled(rows, code)


def _settled(rows: Sequence[ReleaseRow], code: str) -> int | None:
    labels = [label for row in rows for label in row.labels if label.code == code]
    decided = [label for label in labels if label.source is LabelSource.ADJUDICATED]
    values = Counter(label.value for label in decided or labels if label.value is not None)
    most = values.most_common(2)
    if not most or (len(most) == 2 and most[0][1] == most[1][1]):
        return None
    return most[0][0]


def _counts(
    gold: Gold,
    keys: Sequence[Key],
    of_key: Mapping[Key, Sequence[ReleaseRow]],
    units: Sequence[DrawnUnit],
    weights: Mapping[Key, float],
) -> GoldCounts:
    here = set(keys)
    drew = {name for unit in units if unit.key in weights for name in unit.chances}
    return GoldCounts(
        n=len(weights),
        n_seen=sum(key[:2] in gold.seen for key in here),
        n_suggested=sum(
            key[:2] not in gold.seen and any(row.item.suggested_by for row in of_key[key]) for key in here
        ),
        n_undrawn=sum(unit.key in here and unit.is_kept and not unit.chances for unit in units),
        samples=tuple(sorted(drew)),
        drawn_from=tuple(
            sorted({draw.sample for key in weights for row in of_key[key] for draw in row.item.draws})
        ),
    )
