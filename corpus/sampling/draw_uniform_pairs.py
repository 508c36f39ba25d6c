"""Draws post–reply pairs with equal probability."""

import math
from fractions import Fraction
from functools import cache

from corpus.sampling.frame import CommunityFrame
from corpus.sampling.randomness import RandomNumbers
from corpus.sampling.sample import DrawnItem, drawn_item


def draw_uniform_pairs(community: CommunityFrame, n: int, numbers: RandomNumbers) -> list[DrawnItem]:
    total = community.replies.height
    pairs = numbers.smallest(n, community.replies.iter_rows(), "pair")
    n_replies = _reply_counts(community, {post_id for post_id, _ in pairs})
    probability_of_any = cache(chance_of_any)
    items = []
    for post_id, reply_id in pairs:
        post = probability_of_any(n_replies[post_id], total, n)
        items.append(drawn_item(community.name, post_id, reply_id, post, Fraction(n, total) / post))
    return items


def chance_of_any(marked: int, total: int, n: int) -> Fraction:
    """How probable it is that n of `total` units, drawn without replacement, include one of the marked ones.

        1 - C(total - marked, n) / C(total, n)

    >>> str(chance_of_any(marked=2, total=4, n=2))
    '5/6'
    """
    # The same ratio with n and marked exchanged; the shorter product of the two is taken.
    few, many = sorted((marked, n))
    return 1 - Fraction(math.perm(total - many, few), math.perm(total, few))


def _reply_counts(community: CommunityFrame, post_ids: set[str]) -> dict[str, int]:
    return {post_id: len(reply_ids) for post_id, reply_ids in community.replies_of(post_ids).items()}
