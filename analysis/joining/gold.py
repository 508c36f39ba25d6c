"""The gold of a release for each part: one label a post or reply and code, and how much it stands for.

Codes of posts are judged on pairs, so that one post may have been judged in several. What researchers adjudicated goes
before what annotators said; then the value that most of its items have counts, and a tie leaves the post without gold,
as a tie between annotators does.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from analysis.joining.raking import rake
from analysis.joining.weight_shares import Key, SampleFacts, weights_within
from analysis.joining.weights import Chance, DrawnUnit, stands_for
from annotation.release.rows import LabelSource, ReleaseItem, ReleaseRow
from codebook.schema import Part

PostKey = tuple[str, str]
KEY_SCHEMA = {"community": pl.String(), "post_id": pl.String(), "reply_id": pl.String()}
Rows = Mapping[Key, Sequence[ReleaseRow]]


@dataclass(frozen=True, slots=True)
class Gold:
    """A release's rows; `seen` are the posts that the model learned from or was set by, whose gold cannot correct it.

    `samples` say what each drew and what batches took of it. `labelled_sample` is the one that was labelled, if one
    was: what it drew is the whole of what is asked about, and its items were drawn from that for certain. `unlike` are
    codes that the release asked otherwise than the model: what it says of these is not used.
    """

    rows: Sequence[ReleaseRow]
    samples: Mapping[str, SampleFacts]
    seen: frozenset[PostKey]
    labelled_sample: str | None = None
    unlike: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class GoldCounts:
    """Of one part: how many units have usable gold here, and why others have none: the model has seen them, all that
    was said of them was said with suggestions in view, or there is no probability of having been drawn.

    `samples` are the stages that drew what is used, batches of active learning among them, and `drawn_from` the samples
    behind these.
    """

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
    of_key = _by_key(gold.rows, part)
    keys = [key for key in within.select(list(KEY_SCHEMA)).iter_rows() if key in of_key]
    # Suggestions are shown by chance, but what the model has seen was decided by a split that looks at labels
    judged = _by_key((row for row in gold.rows if not row.item.suggested_by), part)
    usable = {key: rows for key, rows in judged.items() if key[:2] not in gold.seen}
    labels = {key: tuple(_gold_of(gold, rows, code) for code in codes) for key, rows in judged.items()}
    weights = rake(_weights(gold, part, usable, keys), _weights(gold, part, judged, keys), labels)
    rows = [(*key, weight, *labels[key]) for key, weight in weights.items()]
    columns = [f"gold.{code}" for code in codes]
    schema = {**KEY_SCHEMA, "gold_weight": pl.Float64(), **dict.fromkeys(columns, pl.Int64())}
    counts = _counts(gold, keys, judged, usable, weights)
    return pl.DataFrame(rows, schema=schema, orient="row"), counts


def seen_posts(rows: Iterable[ReleaseRow], trained_on: Collection[str]) -> frozenset[PostKey]:
    """The posts whose items are in these parts of the split."""
    return frozenset((row.item.community, row.item.post_id) for row in rows if row.split.value in trained_on)


def _by_key(rows: Iterable[ReleaseRow], part: Part) -> dict[Key, list[ReleaseRow]]:
    found: dict[Key, list[ReleaseRow]] = defaultdict(list)
    for row in rows:
        if part is Part.POST or row.item.reply_id is not None:
            found[_key(row.item, part)].append(row)
    return dict(found)


def _key(item: ReleaseItem, part: Part) -> Key:
    return (item.community, item.post_id, None if part is Part.POST else item.reply_id)


def _weights(gold: Gold, part: Part, of_key: Rows, within: Sequence[Key]) -> dict[Key, float]:
    """Of these units, as if there were no other gold."""
    items = frozenset(row.item.item_id for rows in of_key.values() for row in rows)
    chances: dict[Key, dict[str, Chance]] = defaultdict(dict)
    for name, sample in gold.samples.items():
        is_certain = name == gold.labelled_sample
        drawn = {item.key(part): item for item in sample.items.values()}
        for key, weight in weights_within(sample, part, items).items():
            item = drawn[key]
            if is_certain:
                chances[key][name] = Chance(1.0, 1.0, weight)
            elif part is Part.POST:
                chances[key][name] = Chance(item.post_probability, 1.0, weight)
            else:
                chances[key][name] = Chance(item.probability, item.given_post, weight)
    left_out = {name: sample.left_out for name, sample in gold.samples.items()}
    return stands_for([DrawnUnit(key, chances.get(key, {})) for key in of_key], left_out, within)


def _gold_of(gold: Gold, rows: Sequence[ReleaseRow], code: str) -> int | None:
    return None if code in gold.unlike else _settle(rows, code)


def _settle(rows: Sequence[ReleaseRow], code: str) -> int | None:
    labels = [label for row in rows for label in row.labels if label.code == code]
    decided = [label for label in labels if label.source is LabelSource.ADJUDICATED]
    values = Counter(label.value for label in decided or labels if label.value is not None)
    most = values.most_common(2)
    if not most or (len(most) == 2 and most[0][1] == most[1][1]):
        return None
    return most[0][0]


def _counts(
    gold: Gold, keys: Sequence[Key], judged: Rows, usable: Rows, weights: Mapping[Key, float]
) -> GoldCounts:
    items = [row.item.item_id for key in weights for row in usable[key]]
    brought = [
        (name, sample.stage_of(item))
        for name, sample in gold.samples.items()
        for item in items
        if sample.brought(item)
    ]
    unseen = [key for key in keys if key[:2] not in gold.seen]
    return GoldCounts(
        n=len(weights),
        n_seen=len(keys) - len(unseen),
        n_suggested=sum(key not in judged for key in unseen),
        n_undrawn=sum(key in judged and key not in weights for key in unseen),
        samples=tuple(sorted({stage for _, stage in brought})),
        drawn_from=tuple(sorted({name for name, _ in brought})),
    )
