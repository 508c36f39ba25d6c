"""`clean_html` for whole columns: plain posts go through Polars, the few others one by one."""

from collections.abc import Callable

import polars as pl

from corpus.clean_html import QUOTE_CLOSE, QUOTE_OPEN, clean_html, marks_as_quotations

_PARAGRAPH = ["p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "hr"]
_INLINE = ["em", "strong", "code", "b", "i", "a", "sup", "sub", "kbd", "strike"]
# The usual sequences come first and are replaced as a whole, which leaves no white space to even out.
_TAGS = {
    "</p>\n\n<p>": "\n\n",
    "</p>\n\n<ul>\n<li>": "\n\n",
    "</p>\n\n<ol>\n<li>": "\n\n",
    "</li>\n<li>": "\n",
    "</li>\n</ul>\n\n<p>": "\n\n",
    "</li>\n</ol>\n\n<p>": "\n\n",
    "\n": " ",
    "\r": "",
    "\t": " ",
    "\f": " ",
    **{f"<{name}>": "\n\n" for name in _PARAGRAPH},
    **{f"</{name}>": "\n\n" for name in _PARAGRAPH},
    **{f"<{name}>": "" for name in _INLINE},
    **{f"</{name}>": "" for name in _INLINE},
    "<li>": "\n",
    "</li>": "",
    "<br>": "\n",
    "<br/>": "\n",
    "<br />": "\n",
    "<blockquote>": QUOTE_OPEN,
    "</blockquote>": QUOTE_CLOSE,
}
_LINKS = r"<(?:a|img) (?:[^<>\"']|\"[^\"<>]*\")*>"
_ENTITIES = {
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&nbsp;": " ",
    "\xa0": " ",
}
_UNEVEN = ["  ", " \n", "\n ", "\n\n\n"]
_MARKS = ["\x01", "\x02", "\x03", "\x04"]


def clean_html_column(html: pl.Series) -> pl.Series:
    """Equal to `clean_html` on each value, at several times its speed and without holding the GIL."""
    text = html.str.replace_many(list(_TAGS), list(_TAGS.values()), leftmost=True)
    text = _even_out(text.str.replace_all(_LINKS, "").str.strip_chars(" \n"))
    odd = text.str.contains("<", literal=True) | _has_rare_entities(text)
    for mark in _MARKS:
        odd |= html.str.contains(mark, literal=True)
    quoted = text.str.contains(QUOTE_OPEN, literal=True) | text.str.contains(QUOTE_CLOSE, literal=True)
    text = _replace(text, text, quoted & ~odd, marks_as_quotations)
    text = text.str.replace_many(list(_ENTITIES), list(_ENTITIES.values())).str.strip_chars(" \n")
    return _replace(text, html, odd, clean_html)


def _even_out(text: pl.Series) -> pl.Series:
    """Lines without spaces around them, single spaces, and one empty line at most."""
    places = text.str.contains_any(_UNEVEN).arg_true()
    if places.is_empty():
        return text
    even = (
        text.gather(places)
        .str.replace_all(r" {2,}", " ")
        .str.replace_all(r" \n", "\n")
        .str.replace_all(r"\n +", "\n")
        .str.replace_all(r"\n{3,}", "\n\n")
    )
    return text.scatter(places, even)


def _has_rare_entities(text: pl.Series) -> pl.Series:
    """Whether an ampersand is left once those that every forum uses are taken out."""
    suspects = text.str.contains("&", literal=True)
    if not suspects.any():
        return suspects
    places = suspects.arg_true()
    known = [entity for entity in _ENTITIES if entity.startswith("&")]
    rest = text.gather(places).str.replace_many(known, [""] * len(known))
    return suspects.scatter(places, rest.str.contains("&", literal=True))


def _replace(text: pl.Series, source: pl.Series, where: pl.Series, clean: Callable[[str], str]) -> pl.Series:
    places = where.arg_true()
    if places.is_empty():
        return text
    return text.scatter(places, [clean(value) for value in source.gather(places)])
