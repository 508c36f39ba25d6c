"""Draws posts with equal probability, and takes every reply of each."""

from collections.abc import Sequence
from fractions import Fraction

from corpus.sampling.frame import CommunityFrame
from corpus.sampling.randomness import RandomNumbers
from corpus.sampling.sample import DrawnItem, drawn_item


def draw_whole_posts(community: CommunityFrame, n: int, numbers: RandomNumbers) -> list[DrawnItem]:
    units = community.posts.select("post_id").iter_rows()
    post_ids = [unit[0] for unit in numbers.smallest(n, units, "post")]
    probability = Fraction(n, community.posts.height) if post_ids else Fraction(1)
    items = []
    for post_id, reply_ids in community.replies_of(post_ids).items():
        parts: Sequence[str | None] = reply_ids or [None]
        items += [drawn_item(community.name, post_id, part, probability, Fraction(1)) for part in parts]
    return items
