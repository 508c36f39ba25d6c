"""Finds what may tell who somebody is: e-mail addresses, phone numbers, handles, profile links, names.

Rules, and names that somebody lists. They find too much rather than too little, because a person looks at every place:
in informal texts no rule tells every name, and a text without a hit may still say who wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class PersonalKind(StrEnum):
    EMAIL = "email"
    PHONE = "phone"
    HANDLE = "handle"
    LINK = "link"
    NAME = "name"

    @property
    def placeholder(self) -> str:
        return f"[{self.value}]"


@dataclass(frozen=True, slots=True)
class PersonalHit:
    """`start` and `end` are in code points."""

    kind: PersonalKind
    start: int
    end: int


_LINK = re.compile(
    r"(?:https?://)?(?:www\.|old\.|m\.)?(?:(?:twitter|x|instagram|facebook|tiktok|threads)\.(?:com|net)/@?"
    r"|linkedin\.com/in/|t\.me/|reddit\.com/u(?:ser)?/|github\.com/)[\w.%-]+",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+[^\W\d_]{2,}")
# Also that of a federated server, as in @name@example.org
_HANDLE = re.compile(r"(?<![\w@/.])(?:@\w[\w.-]*\w(?:@[\w-]+(?:\.[\w-]+)+)?|/?u/[\w-]{3,})")
_PHONE = re.compile(r"(?<![\w.,/:#-])(?:\+|00)?\(?\d[\d\s()./-]{5,20}\d(?![\w-])")
_DATE_LIKE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{4}\s*[-–/]\s*\d{4}"
)
_NAME = r"[^\W\d_][^\W\d_'’-]+(?:[-'’][^\W\d_]+)*"
_INTRODUCED = re.compile(
    r"\b(?:my name is|my name['’]s|i am called|i['’]m called|is named|named|is called|call me)"
    rf"\s+({_NAME}(?:\s+{_NAME})?)",
    re.IGNORECASE,
)
_TITLED = re.compile(rf"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Herr|Frau)\.?\s+({_NAME}(?:\s+{_NAME})?)")
_GREETED = re.compile(rf"^\W*(?:Dear|Hi|Hello|Hey|Thanks|Thank you|Welcome),?\s+({_NAME})", re.MULTILINE)
_SIGNED = re.compile(
    r"(?:best|regards|wishes|cheers|love|sincerely|yours|hugs|thanks)\s*[,!.–-]*\s*\n+\s*[-–—]*\s*"
    rf"({_NAME}(?:\s+{_NAME})?)\W*$",
    re.IGNORECASE,
)
# Capitalised words that stand where a name would
_NO_NAMES = frozenset(
    re.findall(
        r"\w+",
        "all and any anyone are dear everybody everyone folks for friend friends from fellow god guys have her hello"
        " hi him his hope how i in is it ladies love madam mom mum dad mother father my no not of on op one our people"
        " please reddit sir so some someone that thanks the their them there these they this to us we what when with"
        " yes you your",
    )
)


def find_personal_data(text: str, names: Iterable[str] = ()) -> list[PersonalHit]:
    """Every place, from left to right, none inside another. `names` are looked for as whole words, as they are written.

    >>> text = "Hi Bea, write to b.fontana@example.org or +39 055 123 4567. @bea_f"
    >>> [(hit.kind.value, text[hit.start : hit.end]) for hit in find_personal_data(text)]
    [('name', 'Bea'), ('email', 'b.fontana@example.org'), ('phone', '+39 055 123 4567'), ('handle', '@bea_f')]
    """
    found: list[PersonalHit] = []
    for hit in _all(text, names):
        if all(hit.end <= other.start or other.end <= hit.start for other in found):
            found.append(hit)
    return sorted(found, key=lambda hit: hit.start)


def replace_personal_data(text: str, hits: Iterable[PersonalHit]) -> str:
    """Each hit by a word for its kind.

    >>> text = "Call me Bea: 055 123 4567"
    >>> replace_personal_data(text, find_personal_data(text))
    'Call me [name]: [phone]'
    """
    for hit in sorted(hits, key=lambda hit: -hit.start):
        text = text[: hit.start] + hit.kind.placeholder + text[hit.end :]
    return text


def _all(text: str, names: Iterable[str]) -> Iterator[PersonalHit]:
    """What is surer comes first: it keeps its place where two overlap."""
    for kind, pattern in (
        (PersonalKind.LINK, _LINK),
        (PersonalKind.EMAIL, _EMAIL),
        (PersonalKind.HANDLE, _HANDLE),
    ):
        for match in pattern.finditer(text):
            start = match.start()
            # Of @name@example.org the address begins with the sign before it
            if kind is PersonalKind.EMAIL and text[start - 1 : start] == "@":
                continue
            yield PersonalHit(kind, start, match.end())
    for match in _PHONE.finditer(text):
        if _is_phone(match.group()):
            yield PersonalHit(PersonalKind.PHONE, match.start(), match.end())
    for name in names:
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            yield PersonalHit(PersonalKind.NAME, match.start(), match.end())
    for pattern in (_TITLED, _INTRODUCED, _GREETED, _SIGNED):
        for match in pattern.finditer(text):
            if (length := _name_length(match.group(1))) > 0:
                yield PersonalHit(PersonalKind.NAME, match.start(1), match.start(1) + length)


def _is_phone(found: str) -> bool:
    """Seven to fifteen digits (ITU E.164) that are no date and no years, and no bare number below nine digits."""
    digits = sum(each.isdigit() for each in found)
    if not 7 <= digits <= 15 or _DATE_LIKE.fullmatch(found.strip()):
        return False
    return digits >= 9 or found.startswith(("+", "00", "(")) or not found.isdigit()


def _name_length(found: str) -> int:
    """Of the words at its beginning that are written like a name."""
    length = 0
    for match in re.finditer(r"\S+", found):
        word = match.group()
        if not word[0].isupper() or word.casefold() in _NO_NAMES:
            break
        length = match.end()
    return length
