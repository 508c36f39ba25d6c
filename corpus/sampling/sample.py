"""A drawn sample: the items, and all that is needed to draw them again or to weight them."""

from dataclasses import dataclass
from fractions import Fraction

from corpus.sampling.designs import Design, PostKey
from corpus.sampling.encoding import item_id


@dataclass(frozen=True)
class DrawnItem:
    """A post with one reply, or a post with none, and how probable it was.

    `post_probability`: that the post is in the sample at all; weights estimates on posts, each counted once.
    `reply_probability`: that this reply is, given that its post is (1 for a post without replies).
    `inclusion_probability`: their product; weights estimates about items, that is pairs.
    Each is the float nearest to the exact fraction.
    """

    item_id: str
    community: str
    post_id: str
    reply_id: str | None
    post_probability: float
    reply_probability: float
    inclusion_probability: float


@dataclass(frozen=True)
class CommunitySummary:
    """`units` are what the design draws (posts, or pairs); `certain` counts drawn units of probability 1."""

    community: str
    posts: int
    replies: int
    units: int
    requested: int
    drawn: int
    certain: int
    items: int
    items_without_reply: int


@dataclass(frozen=True)
class Sample:
    """`frame_hash` is that of the frame without the posts that the design excludes."""

    design: Design
    seed: int
    frame_hash: str
    items: tuple[DrawnItem, ...]
    summary: tuple[CommunitySummary, ...]

    @property
    def posts(self) -> frozenset[PostKey]:
        """The posts drawn, in the form in which a later design excludes them."""
        return frozenset((item.community, item.post_id) for item in self.items)


def drawn_item(
    community: str, post_id: str, reply_id: str | None, post: Fraction, reply: Fraction
) -> DrawnItem:
    return DrawnItem(
        item_id=item_id(community, post_id, reply_id),
        community=community,
        post_id=post_id,
        reply_id=reply_id,
        post_probability=float(post),
        reply_probability=float(reply),
        inclusion_probability=float(post * reply),
    )
