"""Draws a sample: the same frame, design and seed give the same items in the same order, anywhere."""

from corpus.sampling.designs import Design, PpsPosts, UniformPairs, WholePosts
from corpus.sampling.draw_pps_posts import draw_pps_posts
from corpus.sampling.draw_uniform_pairs import draw_uniform_pairs
from corpus.sampling.draw_whole_posts import draw_whole_posts
from corpus.sampling.errors import SampleTooLarge, UnknownCommunity
from corpus.sampling.frame import CommunityFrame, Frame
from corpus.sampling.randomness import RandomNumbers, draw_key
from corpus.sampling.sample import CommunitySummary, DrawnItem, Sample


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
