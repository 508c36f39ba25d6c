"""Where sentences begin and end, decided once and for all so that marks on sentences can be compared.

Rules, not a model: the same text has the same sentences on every machine and in every release.
"""

import re
from collections.abc import Iterator

# After these a sentence ends only where a space or the line's end follows: 3.5, example.org.
_SPACED = ".!?…‼⁇⁈⁉．"  # noqa: RUF001
# Chinese, Japanese, Arabic, Urdu and Indic marks end a sentence whatever follows.
_ALONE = "。！？｡؟۔।॥"  # noqa: RUF001
_CLOSING = "\"'”’»›)]}*_~」』》〉）】〕"  # noqa: RUF001
_OPENING = "\"'“‘«‹([{*_~¿¡「『《〈（【〔"  # noqa: RUF001

_LINE = re.compile("[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_STOP = re.compile(
    f"(?P<mark>[{_SPACED}]+)(?P<closing>[{re.escape(_CLOSING)}]*)(?=\\s|$)"
    f"|[{_ALONE}]+[{_SPACED}]*[{re.escape(_CLOSING)}]*"
)
_NEXT_WORD = re.compile(rf"\s*[{re.escape(_OPENING)}]*(?P<first>\S?)")
# Emoji and other signs after a full stop belong to what they comment on.
_SIGNS = re.compile(rf"\s+(?![{re.escape(_OPENING)}])[^\w\s]+(?=\s|$)")

# Short forms that are no words of their own, so that "i sat. then" still has two sentences.
_NEVER_LAST = re.compile(
    r"mr|mrs|ms|mx|dr|prof|st|rev|capt|lt|sgt|sen|gov|mt|e\.g|i\.e|eg|ie|vs|cf|viz|approx", re.I
)
_SELDOM_LAST = re.compile(
    r"etc|inc|ltd|corp|jr|sr|al|dept|pp|vol|eds|ft|hrs|blvd|jan|feb|apr|aug|sept|oct|nov|dec|\w(\.\w)+", re.I
)
_WORDS_BEFORE = 40


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The sentences as half-open ranges of code points, without the space around them.

    Every character that is not white space is in exactly one sentence; a line without any mark is one sentence.

    >>> text = "Dr. Who is late, e.g. today. “Why?” she asked! 😀 No idea"
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. Who is late, e.g. today.', '“Why?” she asked! 😀', 'No idea']
    """
    return tuple(place for line in _LINE.finditer(text) for place in _in_line(text, *line.span()))


def _in_line(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for stop in _STOP.finditer(text, start, end):
        if stop.end() > start and _ends_sentence(text, start, stop, end):
            after = _after_signs(text, stop.end(), end)
            yield from _trim(text, start, after)
            start = after
    yield from _trim(text, start, end)


def _after_signs(text: str, at: int, end: int) -> int:
    while signs := _SIGNS.match(text, at, end):
        at = signs.end()
    return at


def _trim(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    words = text[start:end]
    if words.strip():
        yield end - len(words.lstrip()), start + len(words.rstrip())


def _ends_sentence(text: str, start: int, stop: re.Match[str], end: int) -> bool:
    mark = stop["mark"]
    found = _NEXT_WORD.match(text, stop.end(), end)
    following = found["first"] if found else ""
    if mark is None or not following:
        return True
    trails_off = mark.endswith(("...", "…")) or bool(stop["closing"])
    if trails_off and following.islower():
        return False
    if mark != ".":
        return True
    before = text[max(start, stop.start() - _WORDS_BEFORE) : stop.start()].split()
    return bool(stop["closing"]) or not _is_abbreviation(before, following)


def _is_abbreviation(before: list[str], following: str) -> bool:
    """Whether the stop after these words belongs to a short form, an initial or a number in a list."""
    if not before:
        return False
    word = before[-1].lstrip(_OPENING)
    previous = before[-2] if len(before) > 1 else ""
    if _NEVER_LAST.fullmatch(word):
        return True
    if word.lower() == "no":
        return following.isdigit()
    if _SELDOM_LAST.fullmatch(word):
        return following.islower() or following.isdigit()
    if word.isdigit():
        return not previous
    is_initial = len(word) == 1 and word.isupper() and word != "I"
    return is_initial and (not previous or previous[0].isupper())
