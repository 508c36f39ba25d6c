"""Sampling designs as data: what to draw and how much, without the drawing."""

from dataclasses import dataclass
from typing import ClassVar

from corpus.sampling.errors import InvalidDesign

PostKey = tuple[str, str]
"""A community and a post_id."""


@dataclass(frozen=True)
class _CommunityDesign:
    """What the three designs share: `n` units from each community, and exceptions to that.

    `n_by_community` replaces n for the communities it names (0 leaves one out). `exclude` takes posts, with
    their replies, out of the frame beforehand. `take_all_if_smaller` takes what there is where a community
    has fewer than n units, which is otherwise an error.
    """

    n: int
    n_by_community: tuple[tuple[str, int], ...] = ()
    exclude: frozenset[PostKey] = frozenset()
    take_all_if_smaller: bool = False

    kind: ClassVar[str]

    def __post_init__(self) -> None:
        _check_count("n", self.n, least=1)
        for community, n in self.n_by_community:
            _check_identifier("n_by_community", community)
            _check_count(f"n_by_community[{community!r}]", n, least=0)
        names = [community for community, _ in self.n_by_community]
        if len(set(names)) < len(names):
            raise InvalidDesign("n_by_community", "names a community twice; keep one of them")
        for post in self.exclude:
            for part in post:
                _check_identifier("exclude", part)
        # Sorted, so that two designs that mean the same are equal.
        object.__setattr__(self, "n_by_community", tuple(sorted(self.n_by_community)))

    def size_for(self, community: str) -> int:
        return dict(self.n_by_community).get(community, self.n)


@dataclass(frozen=True)
class PpsPosts(_CommunityDesign):
    """Posts with probability proportional to (replies + 1), then one random reply of each, or none."""

    kind: ClassVar[str] = "pps_posts"


@dataclass(frozen=True)
class UniformPairs(_CommunityDesign):
    """A simple random sample of post–reply pairs."""

    kind: ClassVar[str] = "uniform_pairs"


@dataclass(frozen=True)
class WholePosts(_CommunityDesign):
    """A simple random sample of posts, each with all of its replies."""

    kind: ClassVar[str] = "whole_posts"


Design = PpsPosts | UniformPairs | WholePosts


def _check_count(field: str, value: object, *, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidDesign(field, f"{value!r} is not a whole number of at least {least}")


def _check_identifier(field: str, value: object) -> None:
    if not isinstance(value, str) or not value:
        raise InvalidDesign(field, f"{value!r} is not an identifier; give a text that is not empty")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise InvalidDesign(field, f"{value!r} holds half a surrogate pair, which no corpus can hold")
