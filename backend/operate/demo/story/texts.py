"""The story's invented posts and replies, with what is really in each: the same for a seed on every machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random

import msgspec
import yaml

SENTENCES_FILE = Path(__file__).with_name("sentences.yaml")
FIRST_DAY, DAYS = datetime(2021, 1, 4, tzinfo=UTC), 700
POST_CODES = ("asking-advice", "seeking-emotional-support")
# How often a reply shows a theme, and how much more often where the post asks for it
SHARES = {
    "emotional-resonance": (0.16, "seeking-emotional-support", 0.20),
    "expressing-validation": (0.22, "seeking-emotional-support", 0.20),
    "sharing-similar-experiences": (0.30, "", 0.0),
    "offering-reassurance": (0.20, "seeking-emotional-support", 0.22),
    "showing-interest": (0.22, "", 0.0),
    "offering-advice": (0.26, "asking-advice", 0.30),
}
POST_SHARES = {"asking-advice": 0.55, "seeking-emotional-support": 0.35}
# Questions and answers are worded more oddly than threads, so that a model finds less there
SUBTLE = {"reddit": 0.15, "stackexchange": 0.50}
NEAR = 0.10


class Ways(msgspec.Struct, forbid_unknown_fields=True):
    """Of saying one theme: in common words, in rarer ones, and what only looks like it."""

    plain: list[str]
    subtle: list[str]
    near: list[str]


class Place(msgspec.Struct, forbid_unknown_fields=True):
    platform: str
    topic: str
    situations: list[tuple[str, str]]


class PartSentences(msgspec.Struct, forbid_unknown_fields=True):
    filler: list[str]
    themes: dict[str, Ways]


class Sentences(msgspec.Struct, forbid_unknown_fields=True):
    slots: dict[str, list[str]]
    communities: dict[str, Place]
    post: PartSentences
    reply: PartSentences


@cache
def sentences() -> Sentences:
    return msgspec.convert(yaml.safe_load(SENTENCES_FILE.read_text(encoding="utf-8")), Sentences)


@dataclass(frozen=True, slots=True)
class Truth:
    """By theme: the sentence that shows it; those that show it in rare words; and sentences that only look like it."""

    there: Mapping[str, str]
    subtle: frozenset[str]
    near: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    truth: Truth
    author: str
    created: datetime


@dataclass(frozen=True, slots=True)
class Thread:
    number: int
    community: str
    title: str
    text: str
    truth: Truth
    author: str
    created: datetime
    replies: tuple[Reply, ...]


@dataclass
class _Writer:
    rng: Random
    used: set[str] = field(default_factory=set)

    def fill(self, sentence: str) -> str:
        for slot, values in sentences().slots.items():
            while f"{{{slot}}}" in sentence:
                sentence = sentence.replace(f"{{{slot}}}", self.rng.choice(values), 1)
        return sentence[0].upper() + sentence[1:]

    def themes(self, found: Sequence[str], known: Mapping[str, Ways], subtle: float) -> Truth:
        there, rare, near = {}, set(), {}
        for code, ways in known.items():
            if code in found:
                is_rare = self.rng.random() < subtle
                there[code] = self.fill(self.rng.choice(ways.subtle if is_rare else ways.plain))
                rare |= {code} if is_rare else set()
            elif self.rng.random() < NEAR:
                near[code] = self.fill(self.rng.choice(ways.near))
        return Truth(there, frozenset(rare), near)

    def once(self, parts: list[str]) -> str:
        """In an order by chance; the same text never comes twice."""
        filler = sentences().reply.filler
        self.rng.shuffle(parts)
        while (text := " ".join(parts)) in self.used or not parts:
            parts.insert(self.rng.randrange(len(parts) + 1), self.fill(self.rng.choice(filler)))
        self.used.add(text)
        return text


def make_threads(*, posts_each: int, seed: int) -> list[Thread]:
    """So many posts in each community, with one to four replies."""
    writer = _Writer(Random(f"story {seed}"))
    threads = []
    for community, place in sentences().communities.items():
        for number in range(1, posts_each + 1):
            threads.append(_thread(writer, community, place, number))
    return threads


def _thread(writer: _Writer, community: str, place: Place, number: int) -> Thread:
    rng, subtle = writer.rng, SUBTLE[place.platform]
    title, opening = rng.choice(place.situations)
    found = [code for code in POST_CODES if rng.random() < POST_SHARES[code]]
    truth = writer.themes(found, sentences().post.themes, subtle)
    told = rng.sample(sentences().post.filler, rng.randint(1, 3))
    parts = [*(writer.fill(detail) for detail in told), *truth.near.values()]
    text = " ".join([writer.fill(opening), *parts, *truth.there.values()])
    created = FIRST_DAY + timedelta(days=rng.randrange(DAYS), seconds=rng.randrange(86_400))
    n_replies = rng.choices((1, 2, 3, 4), (2, 3, 3, 2))[0]
    replies = tuple(_reply(writer, frozenset(found), subtle, created) for _ in range(n_replies))
    return Thread(number, community, title, text, truth, f"poster{rng.randrange(400)}", created, replies)


def _reply(writer: _Writer, asked: frozenset[str], subtle: float, after: datetime) -> Reply:
    rng = writer.rng
    found = [
        code
        for code, (share, request, more) in SHARES.items()
        if rng.random() < share + (more if request in asked else 0.0)
    ]
    truth = writer.themes(found, sentences().reply.themes, subtle)
    filler = sentences().reply.filler
    fillers = [writer.fill(rng.choice(filler)) for _ in range(rng.randint(0, 2))]
    text = writer.once([*truth.there.values(), *truth.near.values(), *fillers])
    created = after + timedelta(minutes=rng.randint(4, 4000))
    return Reply(text, truth, f"replier{rng.randrange(700)}", created)
