"""The sampling frame: every post and reply that can be drawn, in an order that owes nothing to files."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass, field

import polars as pl

from corpus.sampling.designs import PostKey
from corpus.sampling.encoding import netstrings
from corpus.sampling.errors import EmptyFrame, UnknownExclusion
from corpus.sampling.frame_checks import check_units, read_columns

_HASHED_ROWS_AT_A_TIME = 100_000


@dataclass(frozen=True, eq=False)
class CommunityFrame:
    """`posts` (post_id, n_replies) and `replies` (post_id, reply_id), both sorted by identifier."""

    name: str
    posts: pl.DataFrame
    replies: pl.DataFrame

    def replies_of(self, post_ids: Iterable[str]) -> dict[str, list[str]]:
        """Reply ids by post, in sorted order; posts without replies map to an empty list."""
        found: dict[str, list[str]] = {post_id: [] for post_id in post_ids}
        for post_id, reply_id in self.replies.filter(pl.col("post_id").is_in(list(found))).iter_rows():
            found[post_id].append(reply_id)
        return found

    def without(self, post_ids: Set[str]) -> "CommunityFrame":
        keep = ~pl.col("post_id").is_in(list(post_ids))
        return CommunityFrame(self.name, self.posts.filter(keep), self.replies.filter(keep))


@dataclass(frozen=True)
class Frame:
    """Two frames are equal when their hashes are; the hash covers identifiers and reply counts, not texts."""

    hash: str
    communities: tuple[CommunityFrame, ...] = field(compare=False, repr=False)

    def without(self, excluded: Set[PostKey]) -> "Frame":
        """The frame that remains, with its own hash, once these posts and their replies are taken out."""
        if not excluded:
            return self
        by_community: dict[str, set[str]] = defaultdict(set)
        for community, post_id in excluded:
            by_community[community].add(post_id)
        self._refuse_unknown(by_community)
        return _hash(tuple(c.without(by_community.get(c.name, frozenset())) for c in self.communities))

    def _refuse_unknown(self, by_community: dict[str, set[str]]) -> None:
        unknown = {name: set(post_ids) for name, post_ids in by_community.items()}
        for community in self.communities:
            if community.name in unknown:
                wanted = pl.col("post_id").is_in(list(unknown[community.name]))
                unknown[community.name] -= set(community.posts.filter(wanted)["post_id"])
        missing = sorted((name, post_id) for name, post_ids in unknown.items() for post_id in post_ids)
        if missing:
            raise UnknownExclusion(len(missing), *missing[0])


def build_frame(posts: pl.LazyFrame, replies: pl.LazyFrame) -> Frame:
    """Read only the identifying columns, check that they fit together, and put them in canonical order.

    >>> posts = pl.LazyFrame({"community": ["r/work"] * 2, "post_id": ["b", "a"], "n_replies": [0, 1]})
    >>> replies = pl.LazyFrame({"community": ["r/work"], "post_id": ["a"], "reply_id": ["x"]})
    >>> frame = build_frame(posts, replies)
    >>> frame.communities[0].posts.rows()
    [('a', 1), ('b', 0)]
    >>> frame == build_frame(posts.reverse(), replies)
    True
    """
    post_rows = read_columns(posts, "posts", ("community", "post_id"), count="n_replies")
    reply_rows = read_columns(replies, "replies", ("community", "post_id", "reply_id"))
    if post_rows.is_empty():
        raise EmptyFrame
    check_units(post_rows, reply_rows)
    by_posts = _by_community(post_rows.sort("community", "post_id"))
    by_replies = _by_community(reply_rows.sort("community", "post_id", "reply_id"))
    no_replies = reply_rows.clear().drop("community")
    return _hash(
        tuple(
            CommunityFrame(name, by_posts[name], by_replies.get(name, no_replies))
            for name in sorted(by_posts)
        )
    )


def _by_community(rows: pl.DataFrame) -> dict[str, pl.DataFrame]:
    parts = rows.partition_by("community", maintain_order=True, as_dict=True)
    return {str(key[0]): part.drop("community") for key, part in parts.items()}


def _hash(communities: tuple[CommunityFrame, ...]) -> Frame:
    digest = hashlib.sha256(b"attune-frame-1,")
    for community in communities:
        if community.posts.is_empty():
            continue
        sizes = str(community.posts.height), str(community.replies.height)
        digest.update(netstrings(community.name, *sizes))
        for table in (community.posts, community.replies):
            for rows in table.iter_slices(_HASHED_ROWS_AT_A_TIME):
                digest.update(_row_bytes(rows))
    return Frame(digest.hexdigest(), communities)


def _row_bytes(rows: pl.DataFrame) -> bytes:
    """The rows as netstrings, made by Polars since there are millions of them."""
    columns = [pl.col(name).cast(pl.String) for name in rows.columns]
    pieces = [
        piece
        for column in columns
        for piece in (column.str.len_bytes().cast(pl.String), pl.lit(":"), column, pl.lit(","))
    ]
    return "".join(rows.select(pl.concat_str(pieces)).to_series().to_list()).encode()
