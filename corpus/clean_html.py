"""HTML of forum posts to plain text with its paragraphs, fast enough for whole dumps."""

import re
from html import unescape

# A tag ends at the first ">" outside quotes and never runs over a "<", and the quantifiers are possessive:
# no character is looked at more than a few times, whatever the input.
_TOKEN = re.compile(r"(<(?:/?[a-zA-Z](?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+'|[\"'])*+|[!?][^<>]*+)>)")
_TAG_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_HIDDEN = re.compile(r"<(script|style)\b[^<>]*+>.*?(?:</\1\s*+>|\Z)", re.IGNORECASE | re.DOTALL)

# Marks for what the squeezing of white space must not touch; taken out of the input first.
QUOTE_OPEN, QUOTE_CLOSE, _KEPT_NEWLINE, _KEPT_SPACE = _MARKS = "\x01\x02\x03\x04"
_QUOTE_MARK = re.compile(f"([{QUOTE_OPEN}{QUOTE_CLOSE}])")
_DEEPEST_QUOTE = 8

_PARAGRAPH_TAGS = frozenset(
    [
        "p",
        "pre",
        "div",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "dl",
        "table",
        "hr",
        "section",
        "article",
        "header",
        "footer",
        "figure",
        "address",
        "details",
    ]
)
_LINE_TAGS = frozenset(["li", "br", "tr", "dt", "dd", "summary", "figcaption"])
_CELL_TAGS = frozenset(["td", "th"])


class _Replacements(dict[str, str]):
    """What stands in the text for a tag; computed once per distinct tag, of which forums use few."""

    def __missing__(self, token: str) -> str:
        replacement = _replacement(token)
        if len(self) < 4096 and len(token) < 64:
            self[token] = replacement
        return replacement


def _replacement(token: str) -> str:
    name = _tag_name(token)
    closing = token.startswith("</")
    if name in _PARAGRAPH_TAGS:
        return "\n\n"
    if name in _LINE_TAGS:
        return "" if closing else "\n"
    if name == "blockquote":
        return QUOTE_CLOSE if closing else QUOTE_OPEN
    return " " if name in _CELL_TAGS else ""


def _tag_name(token: str) -> str:
    found = _TAG_NAME.match(token)
    return found[1].lower() if found else ""


_REPLACEMENTS = _Replacements()


def clean_html(html: str) -> str:
    """Paragraphs come apart by a blank line, list items and <br> by a line break, quotes get "> ".

    >>> clean_html("<p>One<br>two &amp; three</p><ul><li>four</li></ul>")
    'One\\ntwo & three\\n\\nfour'
    """
    html = _even_out(_without_hidden(html))
    if "<pre" in html or "<PRE" in html:
        html = _keep_preformatted(html)
    text = _lines(html)
    text = marks_as_quotations(text) if QUOTE_OPEN in text or QUOTE_CLOSE in text else _squeeze(text)
    return _decode_entities(text).strip(" \n")


def _lines(html: str) -> str:
    """Tags that break a line become line ends, the line ends of the source become spaces."""
    pieces = _TOKEN.split(html)
    pieces[::2] = [piece.replace("\n", " ") for piece in pieces[::2]]
    pieces[1::2] = map(_REPLACEMENTS.__getitem__, pieces[1::2])
    return "".join(pieces)


def _even_out(html: str) -> str:
    for character in "\r\t\f":
        if character in html:
            html = html.replace(character, "" if character == "\r" else " ")
    return html


def _decode_entities(text: str) -> str:
    text = unescape(text) if "&" in text else text
    return text.replace("\xa0", " ")


def _without_hidden(html: str) -> str:
    """Takes out what a browser would not show, and characters that serve as marks here."""
    for mark in _MARKS:
        if mark in html:
            html = html.replace(mark, "")
    if "<!--" in html:
        html = _without_comments(html)
    return _HIDDEN.sub("", html) if "<s" in html or "<S" in html else html


def _without_comments(html: str) -> str:
    """A comment that is never closed hides the rest, as in a browser."""
    kept: list[str] = []
    position = 0
    while (start := html.find("<!--", position)) >= 0:
        kept.append(html[position:start])
        end = html.find("-->", start + 4)
        if end < 0:
            return "".join(kept)
        position = end + 3
    return "".join(kept) + html[position:]


def _squeeze(text: str) -> str:
    """Line by line, because searching a text for pairs of spaces stops at every single one."""
    text = "\n".join([_single_spaced(line.strip(" ")) for line in text.split("\n")])
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    text = text.strip("\n")
    if _KEPT_NEWLINE in text or _KEPT_SPACE in text:
        text = text.strip(f"\n{_KEPT_NEWLINE}").replace(f"{_KEPT_NEWLINE}\n\n", "\n\n")
        text = text.replace(_KEPT_NEWLINE, "\n").replace(_KEPT_SPACE, " ")
    return text


def _single_spaced(line: str) -> str:
    while "  " in line:
        line = line.replace("  ", " ")
    return line


def _keep_preformatted(html: str) -> str:
    pieces = _TOKEN.split(html)
    depth = 0
    for index, piece in enumerate(pieces):
        if index % 2:
            if _tag_name(piece) == "pre":
                depth = max(0, depth + (-1 if piece.startswith("</") else 1))
        elif depth:
            pieces[index] = piece.replace("\n", _KEPT_NEWLINE).replace(" ", _KEPT_SPACE)
    return "".join(pieces)


def marks_as_quotations(text: str) -> str:
    """Marks each line of a quotation; quotations inside quotations are marked as often as they are deep."""
    depth = 0
    blocks: list[str] = []
    for index, piece in enumerate(_QUOTE_MARK.split(text)):
        if index % 2:
            depth = max(0, depth + (1 if piece == QUOTE_OPEN else -1))
            continue
        block = _squeeze(piece)
        if block and depth:
            mark = ">" * min(depth, _DEEPEST_QUOTE)
            block = "\n".join(f"{mark} {line}" if line else mark for line in block.split("\n"))
        if block:
            blocks.append(block)
    return "\n\n".join(blocks)
