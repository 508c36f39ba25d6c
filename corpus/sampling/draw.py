"""Draws a sample: the same frame, design and seed give the same items in the same order, anywhere."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from corpus.sampling.designs import Design, PpsPosts, UniformPairs, WholePosts
from corpus.sampling.errors import SampleTooLarge, UnknownCommunity
from corpus.sampling.frame import CommunityFrame, Frame
from corpus.sampling.pps import PpsPlan, plan_pps, select_systematic
from corpus.sampling.randomness import RandomNumbers, draw_key
from corpus.sampling.sample import CommunitySummary, DrawnItem, Sample, drawn_item


def draw_sample(frame: Frame, design: Design, *, seed: int) -> Sample:
    """
    >>> import polars as pl
    >>> from corpus.sampling.frame import build_frame
    >>> posts = pl.LazyFrame(
    ...     {"community": ["r/work"] * 3, "post_id": ["a", "b", "c"], "n_replies": [2, 1, 0]}
    ... )
    >>> replies = pl.LazyFrame(
    ...     {"community": ["r/work"] * 3, "post_id": ["a", "a", "b"], "reply_id": ["x", "y", "z"]}
    ... )
    >>> sample = draw_sample(build_frame(posts, replies), PpsPosts(n=2), seed=1)
    >>> for item in sample.items:
    ...     print(item.post_id, item.reply_id, item.post_probability, item.reply_probability)
    b z 0.6666666666666666 1.0
    a y 1.0 0.5

    Post a has size 3 of 6, so that two draws make it certain; b (2) and c (1) share the second draw.
    """
    key = draw_key(seed, design.exclude)
    _refuse_unknown_communities(frame, design)
    reduced = frame.without(design.exclude)
    items: list[DrawnItem] = []
    summary: list[CommunitySummary] = []
    for community in reduced.communities:
        n = _size(community, design)
        drawn = _draw(community, design, n, RandomNumbers(key, design.kind, community.name))
        items.extend(drawn)
        summary.append(_summary(community, design, n, drawn))
    number = RandomNumbers(key, design.kind, "").numbering("item order")
    items.sort(key=lambda item: number(item.item_id))
    return Sample(design, seed, reduced.hash, tuple(items), tuple(summary))


def _refuse_unknown_communities(frame: Frame, design: Design) -> None:
    known = [community.name for community in frame.communities]
    unknown = [name for name, _ in design.n_by_community if name not in known]
    if unknown:
        raise UnknownCommunity(unknown, known)


def _units(community: CommunityFrame, design: Design) -> int:
    return community.replies.height if isinstance(design, UniformPairs) else community.posts.height


def _size(community: CommunityFrame, design: Design) -> int:
    requested, available = design.size_for(community.name), _units(community, design)
    if requested > available and not design.take_all_if_smaller:
        unit = "post–reply pairs" if isinstance(design, UniformPairs) else "posts"
        raise SampleTooLarge(community.name, unit, available, requested)
    return min(requested, available)


def _draw(community: CommunityFrame, design: Design, n: int, numbers: RandomNumbers) -> list[DrawnItem]:
    match design:
        case PpsPosts():
            return draw_pps_posts(community, n, numbers)
        case UniformPairs():
            return draw_uniform_pairs(community, n, numbers)
        case WholePosts():
            return draw_whole_posts(community, n, numbers)


def _summary(community: CommunityFrame, design: Design, n: int, items: list[DrawnItem]) -> CommunitySummary:
    if isinstance(design, UniformPairs):
        certain = sum(item.inclusion_probability == 1 for item in items)
    else:
        certain = len({item.post_id for item in items if item.post_probability == 1})
    return CommunitySummary(
        community=community.name,
        posts=community.posts.height,
        replies=community.replies.height,
        units=_units(community, design),
        requested=design.size_for(community.name),
        drawn=n,
        certain=certain,
        items=len(items),
        items_without_reply=sum(item.reply_id is None for item in items),
    )


def draw_whole_posts(community: CommunityFrame, n: int, numbers: RandomNumbers) -> list[DrawnItem]:
    units = community.posts.select("post_id").iter_rows()
    post_ids = [unit[0] for unit in numbers.smallest(n, units, "post")]
    probability = Fraction(n, community.posts.height) if post_ids else Fraction(1)
    items = []
    for post_id, reply_ids in community.replies_of(post_ids).items():
        parts: Sequence[str | None] = reply_ids or [None]
        items += [drawn_item(community.name, post_id, part, probability, Fraction(1)) for part in parts]
    return items


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


def draw_pps_posts(community: CommunityFrame, n: int, numbers: RandomNumbers) -> list[DrawnItem]:
    """The size is n_replies + 1, so that a post without replies can be drawn too."""
    post_ids: list[str] = community.posts["post_id"].to_list()
    plan = plan_pps([n_replies + 1 for n_replies in community.posts["n_replies"].to_list()], n)
    probabilities = {post_ids[i]: plan.probability(i) for i in _select(plan, post_ids, numbers)}
    items = []
    for post_id, reply_ids in community.replies_of(probabilities).items():
        reply_id, given_post = _one_reply(post_id, reply_ids, numbers)
        items.append(drawn_item(community.name, post_id, reply_id, probabilities[post_id], given_post))
    return items


def _select(plan: PpsPlan, post_ids: list[str], numbers: RandomNumbers) -> list[int]:
    if plan.n_drawn == 0:
        return sorted(plan.certain)
    number = numbers.numbering("order")
    order = sorted(range(len(post_ids)), key=lambda i: (number(post_ids[i]), i))
    return select_systematic(plan, order, numbers.below(plan.total, "start"))


def _one_reply(post_id: str, reply_ids: list[str], numbers: RandomNumbers) -> tuple[str | None, Fraction]:
    if not reply_ids:
        return None, Fraction(1)
    [(_, reply_id)] = numbers.smallest(1, ((post_id, reply_id) for reply_id in reply_ids), "reply")
    return reply_id, Fraction(1, len(reply_ids))
