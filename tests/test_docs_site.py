"""The site of the docs reads as the pages do on GitHub, and loads nothing from elsewhere."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from scripts.docs_site.hooks import as_on_github, github_slug

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
COUNTED = (
    "h1",
    "h2",
    "h3",
    "h4",
    "ul",
    "ol",
    "li",
    "table",
    "tr",
    "td",
    "pre",
    "code",
    "a",
    "strong",
    "em",
    "kbd",
)


class _Elements(HTMLParser):
    """Counts the elements of a text, and keeps what the content security policy would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.counted: Counter[str] = Counter()
        self.refused: list[str] = []
        self._in_script = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.counted[tag] += 1
        said = dict(attributes)
        self._in_script = tag == "script"
        if tag == "style" or any(name == "style" or name.startswith("on") for name in said):
            self.refused.append(f"<{tag}> with {sorted(said)}")
        loaded = said.get("src") or (said.get("href") if tag == "link" else None) or ""
        if loaded.startswith(("http:", "https:", "//", "data:")):
            self.refused.append(loaded)

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script and data.strip():
            self.refused.append(f"script: {data.strip()[:60]}")


def _elements(html: str) -> _Elements:
    found = _Elements()
    found.feed(html)
    return found


def test_pages_are_built_as_github_shows_them(docs_site: Path) -> None:
    github = MarkdownIt("gfm-like", {"linkify": False})
    different = {}
    for page in PAGES:
        built = (docs_site / page.relative_to(ROOT / "docs")).with_suffix(".html").read_text()
        [text] = re.findall(r"<main.*?</main>", built, re.DOTALL)
        here = _elements(text).counted
        there = _elements(github.render(page.read_text())).counted
        if wrong := {tag: (there[tag], here[tag]) for tag in COUNTED if there[tag] != here[tag]}:
            different[page.name] = wrong
    assert different == {}


def test_nothing_comes_from_elsewhere_and_nothing_is_inline(docs_site: Path) -> None:
    refused = {page.name: _elements(page.read_text()).refused for page in docs_site.rglob("*.html")}
    assert len(refused) > len(PAGES)
    assert {name: found for name, found in refused.items() if found} == {}
    assert not [
        sheet for sheet in docs_site.rglob("*.css") if re.search(r"https?:|@import", sheet.read_text())
    ]


def test_wide_tables_scroll_by_keyboard_too(docs_site: Path) -> None:
    settings = (docs_site / "settings.html").read_text()
    assert settings.count('<div class="table-wrap" role="region" aria-label="Table" tabindex="0"><table') == (
        settings.count("<table")
    )


def test_the_search_knows_every_page_and_the_page_of_a_section(docs_site: Path) -> None:
    entries = json.loads((docs_site / "search/search_index.json").read_text())["docs"]
    titles = {entry["location"]: entry["title"] for entry in entries}
    assert {page.with_suffix(".html").relative_to(ROOT / "docs").as_posix() for page in PAGES} <= set(titles)
    assert len(titles) == len(entries)
    assert titles["batches.html#adaptive-overlap"] == "Giving items to annotators: Adaptive overlap"


def test_links_are_called_by_the_title_of_their_page(docs_site: Path) -> None:
    assert '<a href="running.html">Running Attune</a>' in (docs_site / "deploying.html").read_text()
    assert not [
        page.name for page in docs_site.glob("*.html") if re.search(r">\w+\.md</a>", page.read_text())
    ]


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("What is `n`, and why?", "what-is-n-and-why"),
        ("Dawid–Skene, MACE", "dawidskene-mace"),
        ("The file_name-part", "the-file_name-part"),
    ],
)
def test_anchors_are_those_of_github(heading: str, anchor: str) -> None:
    assert github_slug(heading, "-") == anchor


def test_lists_are_opened_but_not_in_code() -> None:
    assert (
        as_on_github("So:\n- a\n  more\n\n  more\n- b\n\nEnd")
        == "So:\n\n- a\n    more\n\n    more\n\n- b\n\nEnd"
    )
    assert as_on_github("```\nSo:\n- a\n```") == "```\nSo:\n- a\n```"
