"""Reads the examples of a code, for and against it."""

from collections.abc import Mapping

from codebook.node_reader import NodeReader, Place
from codebook.schema import Example


def read_examples(reader: NodeReader, place: Place | None) -> Mapping[str, tuple[Example, ...]]:
    fields = reader.mapping(place, ("for", "against")) if place is not None else {}
    return {
        side: tuple(_example(reader, entry) for entry in reader.sequence(fields.get(side)))
        for side in ("for", "against")
    }


def _example(reader: NodeReader, place: Place) -> Example:
    """Either a bare text or a text with the reason why it does or does not count."""
    if not place.is_mapping:
        return Example(reader.line_text(place))
    fields = reader.mapping(place, ("text", "why"))
    return Example(reader.line_text(fields.get("text")), reader.line_text(fields.get("why")))
