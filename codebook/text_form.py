"""One written form for every text, so that line breaks in the YAML never change an edition."""

import re
import unicodedata

_PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n\s*")


def one_line(text: str) -> str:
    """
    >>> one_line("  Asking \\n for   advice ")
    'Asking for advice'
    """
    return unicodedata.normalize("NFC", " ".join(text.split()))


def paragraphs(text: str) -> str:
    """
    >>> paragraphs("First,\\nstill first.\\n \\n\\nSecond.\\n")
    'First, still first.\\n\\nSecond.'
    """
    found = (one_line(paragraph) for paragraph in _PARAGRAPH_BREAK.split(text))
    return "\n\n".join(paragraph for paragraph in found if paragraph)


def unprintable(text: str) -> str | None:
    """The first character that neither XML nor a page can carry, as `U+0000`, or None."""
    for character in text:
        if character in "\t\n\r":
            continue
        code_point = ord(character)
        if unicodedata.category(character) in ("Cc", "Cs") or code_point & 0xFFFE == 0xFFFE:
            return f"U+{code_point:04X}"
    return None
