"""`clean_html` for whole columns: plain posts go through Polars, the few others one by one."""

import polars as pl

from corpus.clean_html import clean_html

_PARAGRAPH = ["p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "hr"]
_INLINE = ["em", "strong", "code", "b", "i", "a", "sup", "sub", "kbd"]
_LITERALS = {
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
}
_LINKS = r"<(?:a|img) (?:[^<>\"']|\"[^\"<>]*\")*>"
# Posts with any of these need the full tokenizer; so do all in which a tag is left at the end.
_SPECIAL = ["<pre", "<block", "<!", "<script", "<style", "&", "\x01", "\x02", "\x03", "\x04"]


def clean_html_column(html: pl.Series) -> pl.Series:
    """Equal to `clean_html` on each value, at several times its speed and without holding the GIL."""
    special = html.str.contains_any(_SPECIAL, ascii_case_insensitive=True)
    text = (
        html.str.replace_many(list(_LITERALS), list(_LITERALS.values()), leftmost=True)
        .str.replace_all(_LINKS, "")
        .str.replace_all(r" {2,}", " ")
        .str.replace_all(r" \n", "\n")
        .str.replace_all(r"\n +", "\n")
        .str.replace_all(r"\n{3,}", "\n\n")
        .str.strip_chars(" \n")
    )
    places = (special | text.str.contains("<", literal=True)).arg_true()
    if places.is_empty():
        return text
    return text.scatter(places, [clean_html(value) for value in html.gather(places)])
