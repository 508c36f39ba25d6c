"""Training, validation and test parts: whole posts, the same for a seed on every machine, rare themes in each.

Posts are dealt one by one to the part that lacks them most, rarest theme first (iterative stratification: Sechidis,
Tsoumakas and Vlahavas, "On the stratification of multi-label data", ECML PKDD 2011, applied to posts). What a part
lacks is taken relative to its share, so that each part gets its share of the first posts dealt as of the last: counted
in posts, the largest part would get nearly all of the first, and those have the most themes. Names decide ties by a
keyed hash, so the order of rows changes nothing.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from annotation.release.judged_items import JudgedItem
from annotation.release.rows import FinalLabel, ReleaseRow, SplitPart
from annotation.release.split_gaps import fill_gaps
from codebook.schema import Codebook
from corpus.sampling.encoding import netstrings
from corpus.sampling.errors import InvalidSeed

Post: TypeAlias = tuple[str, ...]
Ratio: TypeAlias = tuple[int, int, int]
PARTS = tuple(SplitPart)


class InvalidRatio(ValueError):
    def __init__(self, ratio: object) -> None:
        super().__init__(f"{ratio} is no ratio of three parts; write three whole numbers such as 6:2:2")


def read_ratio(text: str) -> Ratio:
    """
    >>> read_ratio("6:2:2")
    (6, 2, 2)
    """
    pieces = text.split(":")
    if len(pieces) != len(PARTS) or not all(piece.isascii() and piece.isdigit() for piece in pieces):
        raise InvalidRatio(text)
    train, validation, test = (int(piece) for piece in pieces)
    return check_ratio((train, validation, test))


def check_ratio(ratio: Ratio) -> Ratio:
    if min(ratio) < 0 or sum(ratio) == 0 or max(ratio) > 1000:
        raise InvalidRatio(":".join(map(str, ratio)))
    return ratio


def split_posts(
    posts: Mapping[Post, Iterable[str]],
    ratio: Ratio,
    seed: int,
    settled: Mapping[Post, SplitPart] | None = None,
) -> dict[Post, SplitPart]:
    """Each post, given with the themes that were found in it, goes whole into one part.

    Posts that are `settled` stay where they are, so that what tested one model never trains the next; the others
    make up for them as far as they can.

    >>> codes = {("r", "a", str(n)): ["rare"] if n < 3 else [] for n in range(10)}
    >>> parts = split_posts(codes, (6, 2, 2), seed=1)
    >>> sorted(list(parts.values()).count(part) for part in SplitPart)
    [2, 2, 6]
    >>> sorted(parts[("r", "a", str(n))].value for n in range(3))
    ['test', 'train', 'validation']
    """
    check_ratio(ratio)
    if not 0 <= seed < 2**63:
        raise InvalidSeed(seed)
    codes_of = {post: frozenset(codes) for post, codes in posts.items()}
    kept = {post: part for post, part in (settled or {}).items() if post in codes_of}
    dealing = _Dealing(codes_of, ratio, seed)
    parts = dealing.run(kept)
    movable = dealing.in_order(post for post in codes_of if post not in kept)
    return fill_gaps(parts, codes_of, movable, seed)


@dataclass
class _Dealing:
    codes_of: dict[Post, frozenset[str]]
    ratio: Ratio
    seed: int
    dealt: dict[Post, SplitPart] = field(default_factory=dict)

    def __post_init__(self) -> None:
        key = hashlib.blake2b(netstrings("attune-split-2", str(self.seed)), digest_size=32).digest()
        self.place = {
            name: hashlib.blake2b(netstrings(*name), key=key, digest_size=16).digest()
            for name in [*self.codes_of, *((part.value,) for part in PARTS)]
        }
        self.share = dict(zip(PARTS, self.ratio, strict=True))
        self.wanted = dict(zip(PARTS, self._sizes(), strict=True))
        self.with_code: dict[str, set[Post]] = defaultdict(set)
        for post, codes in self.codes_of.items():
            for code in codes:
                self.with_code[code].add(post)
        total = sum(self.ratio)
        self.wanted_of = {
            code: {part: len(posts) * share / total for part, share in self.share.items()}
            for code, posts in self.with_code.items()
        }
        self.held: dict[str, set[SplitPart]] = defaultdict(set)

    def _sizes(self) -> list[int]:
        """Whole posts by the largest remainder, the earlier part where remainders tie."""
        n, total = len(self.codes_of), sum(self.ratio)
        sizes = [n * share // total for share in self.ratio]
        order = sorted(range(len(PARTS)), key=lambda at: (-(n * self.ratio[at] % total), at))
        for at in order[: n - sum(sizes)]:
            sizes[at] += 1
        return sizes

    def run(self, kept: Mapping[Post, SplitPart]) -> dict[Post, SplitPart]:
        for post, part in kept.items():
            self._put(post, part)
        while self.with_code:
            code = min(self.with_code, key=lambda name: (len(self.with_code[name]), name))
            for post in self.in_order(self.with_code[code]):
                self._deal(post, code)
        rest = self.in_order(post for post in self.codes_of if post not in self.dealt)
        for post in rest:
            self._put(
                post,
                max(
                    self._open(),
                    key=lambda part: (self.wanted[part] / self.share[part], self.place[(part.value,)]),
                ),
            )
        return self.dealt

    def in_order(self, posts: Iterable[Post]) -> list[Post]:
        """Those with the most themes first, because they are the hardest to place."""
        return sorted(posts, key=lambda post: (-len(self.codes_of[post]), self.place[post], post))

    def _open(self) -> list[SplitPart]:
        return [part for part in PARTS if self.wanted[part] > 0]

    def _deal(self, post: Post, code: str) -> None:
        lacks = self.wanted_of[code]
        part = max(
            self._open(),
            key=lambda part: (
                part not in self.held[code],
                sum(part not in self.held[other] for other in self.codes_of[post]),
                lacks[part] / self.share[part],
                self.wanted[part] / self.share[part],
                self.place[(part.value,)],
            ),
        )
        self._put(post, part)

    def _put(self, post: Post, part: SplitPart) -> None:
        self.dealt[post] = part
        self.wanted[part] -= 1
        for code in self.codes_of[post]:
            self.wanted_of[code][part] -= 1
            self.held[code].add(part)
            self.with_code[code].discard(post)
            if not self.with_code[code]:
                del self.with_code[code]


def split_items(
    items: Sequence[JudgedItem],
    labels: Mapping[str, tuple[FinalLabel, ...]],
    codebook: Codebook,
    *,
    ratio: Ratio,
    seed: int,
    settled: Mapping[Post, SplitPart] | None = None,
) -> tuple[ReleaseRow, ...]:
    """By item id. A theme that has levels is stratified level by level; a rating scale is not.

    `settled` has posts that stay in the part they are in.
    """
    present = {code.id: question.present_values for question, code in codebook.coded_questions()}
    themes: dict[Post, set[str]] = {}
    for judged in items:
        found = themes.setdefault(judged.item.post, set())
        for label in labels[judged.item.item_id]:
            if label.value in present[label.code]:
                found.add(f"{label.code}={label.value}")
    parts = split_posts(themes, ratio, seed, settled)
    rows = [ReleaseRow(judged.item, parts[judged.item.post], labels[judged.item.item_id]) for judged in items]
    return tuple(sorted(rows, key=lambda row: row.item.item_id))
