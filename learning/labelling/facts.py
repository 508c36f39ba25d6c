"""What a labelling run is: which adapter read which texts. Whoever has its folder needs nothing else to know."""

from __future__ import annotations

from pathlib import Path

import msgspec

from corpus.atomic_files import replace_file


class RunScope(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which texts of a corpus: those of a drawn sample, by its name, or the corpus itself.

    Without `communities` all of them; `n_posts` of their posts at random, or every one; a post of the corpus brings all
    its replies, a sample those that were drawn.
    """

    sample: str | None = None
    communities: tuple[str, ...] = ()
    n_posts: int | None = None

    def in_words(self) -> str:
        """
        >>> RunScope(communities=("r/work",), n_posts=200).in_words()
        '200 posts drawn at random from r/work, with all their replies'
        """
        if self.sample is not None:
            return f"the sample “{self.sample}”"
        place = ", ".join(self.communities) or "the whole corpus"
        if self.n_posts is not None:
            return f"{self.n_posts:,} posts drawn at random from {place}, with all their replies"
        return f"every post of {place}, with all their replies" if self.communities else place


class RunFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`card_hash` is the sha256 of the adapter's card as the registry has it; codes by what has one
    answer: a post, or a reply with its post.

    `n_posts` and `n_replies` count units: a part without codes has none.
    """

    study: str
    number: int
    adapter_id: str
    card_hash: str
    edition_hash: str
    corpus: str
    corpus_state: str
    scope: RunScope
    seed: int
    post_codes: tuple[str, ...]
    reply_codes: tuple[str, ...]
    n_posts: int
    n_replies: int
    n_shards: int
    version: int = 1

    @property
    def n_units(self) -> int:
        return self.n_posts + self.n_replies

    def codes_of(self, part: str) -> tuple[str, ...]:
        return self.post_codes if part == "post" else self.reply_codes


class FactsUnreadable(ValueError):
    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} does not say what was labelled: fetch an intact copy of its folder, or start a new run."
        )


def write_facts(path: Path, facts: RunFacts) -> None:
    replace_file(path, msgspec.json.format(msgspec.json.encode(facts), indent=2) + b"\n")


def read_facts(path: Path) -> RunFacts:
    """Raises FactsUnreadable."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=RunFacts)
    except (OSError, msgspec.DecodeError) as error:
        raise FactsUnreadable(path) from error
