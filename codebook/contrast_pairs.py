"""Reads contrast pairs: a reply under the post that it fits, and under one where the event is turned around."""

from __future__ import annotations

from codebook.node_reader import NodeReader, Place
from codebook.schema import AnswerKind, ContrastPair, Part

_KEYS = ("post", "contrary", "reply")


def read_contrast_pairs(
    reader: NodeReader, place: Place | None, part: Part, answer: AnswerKind
) -> tuple[ContrastPair, ...]:
    """Of a code or a question of this part that is answered so."""
    if place is None:
        return ()
    if part is not Part.REPLY:
        right = "remove them; only a reply can fit one post and not the other"
        reader.report(place, f"`contrast_pairs` for the {part}", right)
        return ()
    if answer is AnswerKind.SCALE:
        right = "remove them; no point of a rating scale says that something is there"
        reader.report(place, f"`contrast_pairs` for a question answered by {answer}", right)
        return ()
    return tuple(_pair(reader, entry) for entry in reader.sequence(place))


def _pair(reader: NodeReader, place: Place) -> ContrastPair:
    fields = reader.mapping(place, _KEYS)
    post, contrary, reply = (reader.line_text(fields.get(key)) for key in _KEYS)
    if post and post == contrary:
        reader.report(place, "both posts of the pair are the same", "turn the event around in `contrary`")
    return ContrastPair(post, contrary, reply)
