"""Turns the offsets of a highlight into places of the text, in code points and without surrounding space."""

from annotation.sentences import sentences


def trimmed_place(text: str, start: int, end: int) -> tuple[int, int] | None:
    """None where the offsets do not name any words of the text.

    >>> trimmed_place("so tired", 2, 8), trimmed_place("so tired", 2, 3), trimmed_place("so tired", 2, 9)
    ((3, 8), None, None)
    """
    if not 0 <= start < end <= len(text):
        return None
    words = text[start:end]
    if not words.strip():
        return None
    return end - len(words.lstrip()), start + len(words.rstrip())


def marked_sentences(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The sentences that a mark means: those it covers by half or more, or the one it lies in.

    A mark that straddles two sentences and has little of both stays as it is: it is never lost.

    >>> text = "Oh no. I feel with you. Call me."
    >>> marked_sentences(text, 0, 20), marked_sentences(text, 9, 13)
    (((0, 6), (7, 23)), ((7, 23),))
    """
    meant = tuple(place for place in sentences(text) if _means(place, start, end))
    return meant or ((start, end),)


def _means(sentence: tuple[int, int], start: int, end: int) -> bool:
    first, last = sentence
    covered = min(last, end) - max(first, start)
    return 2 * covered >= last - first or (first <= start and end <= last)
