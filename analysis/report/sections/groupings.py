"""By what a corpus is divided."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grouping:
    """`column` is that of the items, and its name for one group."""

    column: str
    plural: str


PLATFORMS = Grouping("platform", "platforms")
TOPICS = Grouping("topic", "topics")
COMMUNITIES = Grouping("community", "communities")
