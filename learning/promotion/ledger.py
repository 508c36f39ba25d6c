"""Which looks at test items share one level, so that at most 5% of test sets ever see a false promotion.

Every look at a test set spends a part of one level (`learning.alpha_spending`), whichever candidates are compared on
it. Test sets grow, and change with each release: a set is another one, with a level of its own, where at least half of
its posts, and at least 50, were in none of the sets that ledgers began with. An item more is no new set. Else the
ledger of the set that is most alike pays, by Jaccard's index: posts in both over posts in either. Of two equally alike
it is the newer.

Whichever ledger a look belongs to, the looks of one ledger may be wrong in 5% of cases together: what a look may spend
depends on how many came before it, and never on what they found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from annotation.release.rows import ReleaseRow
from learning.alpha_spending import level_of_look

FRESH_SHARE = 0.5
FRESH_POSTS = 50


@dataclass(frozen=True, slots=True)
class KnownSet:
    """The posts that a ledger began with, by name."""

    number: int
    posts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Look:
    """The number of a look within its ledger, and the p of the gain that it found."""

    test_set: int
    number: int
    p: float

    @property
    def level(self) -> float:
        return level_of_look(self.number)

    @property
    def passed(self) -> bool:
        return self.p <= self.level


def name_posts(rows: Iterable[ReleaseRow]) -> tuple[str, ...]:
    """Short hashes, each once: a ledger has to know posts again, and nothing else of them."""
    posts = {"\0".join(row.item.post) for row in rows}
    return tuple(sorted(hashlib.sha256(post.encode()).hexdigest()[:16] for post in posts))


def paying_set(posts: Collection[str], known: Sequence[KnownSet]) -> KnownSet | None:
    """Whose ledger pays for a look at these posts; None where another ledger begins.

    >>> first = KnownSet(1, frozenset(f"{number}" for number in range(60)))
    >>> grown = [f"{number}" for number in range(110)]
    >>> paying_set(grown, [first]) == first, paying_set([*grown, *(f"{number}" for number in range(110, 120))], [first])
    (True, None)
    """
    if not known:
        return None
    fresh = len(fresh_among(posts, known))
    if fresh >= FRESH_POSTS and fresh >= FRESH_SHARE * len(set(posts)):
        return None
    return max(known, key=lambda each: (_alike(posts, each.posts), each.number))


def fresh_among(posts: Collection[str], known: Sequence[KnownSet]) -> set[str]:
    """Those with which no ledger began."""
    return set(posts).difference(*(each.posts for each in known))


def fresh_posts_needed(n_posts: int) -> int:
    """How many new posts beside these begin another ledger.

    >>> fresh_posts_needed(30), fresh_posts_needed(200)
    (50, 200)
    """
    return max(FRESH_POSTS, n_posts)


def _alike(posts: Collection[str], others: frozenset[str]) -> float:
    either = len(others.union(posts))
    return len(others.intersection(posts)) / either if either else 0.0


def evidence_of(candidate: str, opponent: str | None, gold_hash: str, least_gain: float) -> str:
    """The same for two looks that ask the same: the same two models on the same labels, and the same gain asked for."""
    facts = "\0".join((candidate, opponent or "", gold_hash, repr(float(least_gain))))
    return hashlib.sha256(facts.encode()).hexdigest()
