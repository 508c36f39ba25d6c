"""Where words begin and end, for all who look for words in texts."""

import re

# Scripts that put no space between words, where a run of letters would be a whole sentence.
UNSPACED = (
    "\u0e00-\u0e7f"  # Thai
    "\u0e80-\u0eff"  # Lao
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # Japanese syllables
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Chinese characters
    "\U00020000-\U0003ffff"  # rarer Chinese characters
)
_LETTER = re.compile(f"[^\\W_{UNSPACED}]")


def is_border(text: str, at: int) -> bool:
    """Whether no word goes on over this place.

    >>> [at for at in range(9) if is_border("_so_ 很好!", at)]
    [0, 1, 3, 4, 5, 6, 7, 8]
    """
    if not 0 < at < len(text):
        return True
    return not (_LETTER.match(text[at - 1]) and _LETTER.match(text[at]))


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with all of its first and last word.

    >>> whole_words("The weather", 1, 7)
    (0, 11)
    """
    while not is_border(text, start):
        start -= 1
    while not is_border(text, end):
        end += 1
    return start, end


def letters_cut_off(text: str, start: int, end: int, *, most: int) -> int:
    """How many letters the first and the last word of a stretch have outside it. Counting ends beyond `most`, or a text
    that is one long word would take very long.

    >>> [letters_cut_off("The weather", 1, 7, most=most) for most in (9, 5, 0)]
    [5, 5, 2]
    >>> letters_cut_off("The weather", 4, 11, most=0)
    0
    """
    before = max(0, start - most - 1)
    near = text[before : end + most + 1]
    first, last = whole_words(near, start - before, end - before)
    return last - first - (end - start)
