"""HTML to text: what it keeps, and that no input can break it or slow it down."""

import re
import time

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.clean_html import clean_html
from corpus.clean_html_column import clean_html_column


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One</p>\n\n<p>Two\nlines</p>", "One\n\nTwo lines"),
        ("a<br>b<br/>c<br /><br />d", "a\nb\nc\n\nd"),
        ("<ul>\n<li>one</li>\n<li>two</li>\n</ul><p>end</p>", "one\ntwo\n\nend"),
        ("<p>see <code>x &lt; y</code></p>", "see x < y"),
        ("<pre><code>if x:\n    y  = 1\n</code></pre><p>ok</p>", "if x:\n    y  = 1\n\nok"),
        ("<p>a</p><blockquote><p>q1</p><p>q2</p></blockquote><p>b</p>", "a\n\n> q1\n>\n> q2\n\nb"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n\n>> b"),
        ("&amp;lt; &nbsp;&#128578;", "&lt;  \U0001f642"),
        ("a<!-- hidden <p>b</p> -->c", "ac"),
        ("a<!-- never closed <p>b", "a"),
        ("<script>var a = '<p>';</script><style>p {}</style>text", "text"),
        ("<a href=\"x>y\" title='>'>link</a>", "link"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ("", ""),
    ],
)
def test_what_becomes_of_it(html: str, text: str) -> None:
    assert clean_html(html) == text


@given(st.text(alphabet=st.sampled_from("<>/!-&;'\"= \n\tabpre\x01\x03")) | st.text())
def test_it_never_raises_and_is_trimmed(html: str) -> None:
    text = clean_html(html)
    assert "\x03" not in text
    assert "&" in html or text == text.strip(" \n")


words = st.text(alphabet="abc \n", max_size=12)
trees = st.recursive(
    words,
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["p", "div", "ul", "li", "b", "em", "blockquote", "pre", "a", "h2"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=20,
)


@given(trees)
def test_well_formed_input_keeps_its_words_and_no_tags(html: str) -> None:
    text = clean_html(html)
    assert "<" not in text
    assert re.sub(r"[>\s]", "", text) == re.sub(r"<[^>]*>|\s", "", html)


soup = st.lists(
    st.sampled_from(
        [
            *(
                "<p>",
                "</p>",
                "<br>",
                "<br />",
                "<li>",
                "<em>",
                '<a href="x">',
                "<a b='>'>",
                "</a>",
                '<img src="',
            ),
            *(
                "<",
                ">",
                "<x>",
                "<P>",
                "<pre>",
                "</pre>",
                "<blockquote>",
                "<!--",
                "-->",
                "&amp;",
                "\xa0",
                "\x00",
            ),
            *("\x03", "\f", " ", "  ", "\n", "\t", "\r\n", "word", '"', "'"),
        ]
    ),
    max_size=25,
).map("".join)


@given(st.lists(trees | soup, min_size=1, max_size=6))
def test_a_column_is_cleaned_as_its_values_are(htmls: list[str]) -> None:
    assert clean_html_column(pl.Series(htmls)).to_list() == [clean_html(html) for html in htmls]


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a ",
        "<!--",
        '<a "',
        "<a '",
        "<blockquote>",
        "<script>",
        "<style ",
        "<pre>",
        "&",
        " \n",
        "<p",
        "<!",
        "-->",
    ],
)
def test_hostile_input_takes_linear_time(piece: str) -> None:
    def seconds(times: int) -> float:
        html = piece * times
        best = 10.0
        for _ in range(3):
            start = time.process_time()
            clean_html(html)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(32_000) < 16 * seconds(4_000) + 0.05
