"""The texts that a model is asked about in a probe: replies under other posts, and utterances put into replies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.answers import ItemText
from annotation.release.read import ReadRelease
from annotation.release.rows import ReleaseRow, SplitPart
from annotation.sentences import sentences
from codebook.schema import Codebook, Part


class NoReplies(ValueError):
    def __init__(self, part: SplitPart) -> None:
        super().__init__(
            f"The {part} part of the release has no item with a reply and its text, so there is no post to change. "
            "Freeze a release of posts with replies and with --texts, or name another part."
        )


class OnePostOnly(ValueError):
    def __init__(self, part: SplitPart) -> None:
        super().__init__(
            f"All replies in the {part} part of the release are on one post, so none can get another's. "
            "Take a larger part."
        )


class NoContrastPairs(ValueError):
    def __init__(self, title: str) -> None:
        super().__init__(
            f"No code of the codebook “{title}” has contrast pairs. Give codes of the reply `contrast_pairs` in a new "
            "edition, or probe without contradiction."
        )


@dataclass(frozen=True, slots=True)
class UnrelatedPost:
    """The reply is empty where the source has none."""

    post: str
    reply: str = ""


@dataclass(frozen=True, slots=True)
class Inserted:
    """A reply that holds the utterance of this number, as a reply to unrelated post `post`, and to one of the
    release."""

    code_id: str
    utterance: int
    post: int
    unrelated: ItemText
    own: ItemText


@dataclass(frozen=True, slots=True)
class Contrasted:
    code_id: str
    fitting: ItemText
    contrary: ItemText


@dataclass(frozen=True, slots=True)
class ProbeTexts:
    """`true` and `swapped` have the same ids and order; `bare` are the unrelated posts with their own replies."""

    rows: tuple[ReleaseRow, ...]
    true: tuple[ItemText, ...]
    swapped: tuple[ItemText, ...]
    utterances: Mapping[str, tuple[str, ...]]
    inserted: tuple[Inserted, ...]
    bare: tuple[ItemText, ...]
    contrasted: tuple[Contrasted, ...]


def make_texts(
    release: ReadRelease,
    part: SplitPart,
    unrelated: Sequence[UnrelatedPost],
    utterances: Mapping[str, tuple[str, ...]],
    *,
    seed: int,
) -> ProbeTexts:
    rng = np.random.default_rng(seed)
    rows = tuple(row for row in release.rows if row.split is part and has_reply(row))
    if not rows:
        raise NoReplies(part)
    true = tuple(map(item_text, rows))
    return ProbeTexts(
        rows=rows,
        true=true,
        swapped=swap_posts(true, part, rng),
        utterances=utterances,
        inserted=tuple(_insert(unrelated, true, utterances, rng)),
        bare=tuple(
            ItemText(f"bare/{at}", "", each.post, each.reply)
            for at, each in enumerate(unrelated)
            if each.reply
        ),
        contrasted=contrasted(release.codebook),
    )


def has_reply(row: ReleaseRow) -> bool:
    return row.item.texts is not None and row.item.texts.reply is not None


def item_text(row: ReleaseRow) -> ItemText:
    texts = row.item.texts
    if texts is None:
        raise NoReplies(row.split)
    return ItemText(row.item.item_id, texts.title, texts.post, texts.reply)


def swap_posts(true: Sequence[ItemText], part: SplitPart, rng: np.random.Generator) -> tuple[ItemText, ...]:
    """Each reply gets a post with other words, at random: each post as often as it has replies, all but the same."""
    posts = [(each.title, each.post) for each in true]
    if len(set(posts)) < 2:
        raise OnePostOnly(part)
    found = []
    for each in true:
        given = (each.title, each.post)
        while given == (each.title, each.post):
            given = posts[int(rng.integers(len(posts)))]
        found.append(replace(each, title=given[0], post=given[1]))
    return tuple(found)


def _insert(
    unrelated: Sequence[UnrelatedPost],
    own: Sequence[ItemText],
    utterances: Mapping[str, tuple[str, ...]],
    rng: np.random.Generator,
) -> Iterable[Inserted]:
    for code_id, words in utterances.items():
        if not words:
            continue
        for at, each in enumerate(unrelated):
            which = int(rng.integers(len(words)))
            reply = insert_utterance(each.reply, words[which], rng)
            home = own[int(rng.integers(len(own)))]
            yield Inserted(
                code_id,
                which,
                at,
                ItemText(f"insert/{code_id}/{at}", "", each.post, reply),
                ItemText(f"own/{code_id}/{at}", home.title, home.post, reply),
            )


def insert_utterance(reply: str, utterance: str, rng: np.random.Generator) -> str:
    """As a sentence of its own before, between or after those of the reply; alone where there are none.

    >>> insert_utterance("", "I feel you", np.random.default_rng(1))
    'I feel you.'
    """
    words = utterance.strip()
    said = words if words[-1:] in ".!?…" else f"{words}."
    found = [reply[start:end] for start, end in sentences(reply)]
    at = int(rng.integers(len(found) + 1))
    return " ".join([*found[:at], said, *found[at:]])


def contrasted(codebook: Codebook) -> tuple[Contrasted, ...]:
    return tuple(
        Contrasted(
            code.id,
            ItemText(f"fitting/{code.id}/{at}", "", pair.post, pair.reply),
            ItemText(f"contrary/{code.id}/{at}", "", pair.contrary, pair.reply),
        )
        for question, code in codebook.coded_questions()
        if question.part is Part.REPLY and question.present_values
        for at, pair in enumerate((*question.contrast_pairs, *code.contrast_pairs))
    )
