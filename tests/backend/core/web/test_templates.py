"""The content security policy forbids inline code and styles: no template of the project may need them."""

import re
from pathlib import Path

import pytest
from django.template.backends.django import Template as DjangoTemplate
from django.template.loader import get_template

import backend
from backend.core.web.icons import NAMES

ROOT = Path(backend.__file__).parent
TEMPLATES = sorted(path for path in ROOT.rglob("*.html") if "templates" in path.relative_to(ROOT).parts)
FORBIDDEN = {
    "an inline style": re.compile(r"<[^>]*\sstyle\s*=", re.IGNORECASE),
    "a style element": re.compile(r"<style\b", re.IGNORECASE),
    "an inline script": re.compile(r"<script\b(?![^>]*\ssrc\s*=)", re.IGNORECASE),
    "an inline handler": re.compile(r"<[^>]*\son[a-z]+\s*=", re.IGNORECASE),
    "an htmx handler": re.compile(r"\shx-on[:-]", re.IGNORECASE),
    "evaluated htmx values": re.compile(
        r"""\shx-(?:vals|headers|vars)\s*=\s*["']\s*(?:js|javascript):""", re.IGNORECASE
    ),
    "a script address": re.compile(r"""(?:href|src|action)\s*=\s*["']\s*javascript:""", re.IGNORECASE),
    "another host's file": re.compile(
        r"""<(?:script|link|img|iframe)\b[^>]*(?:src|href)\s*=\s*["'](?:https?:)?//""", re.IGNORECASE
    ),
}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_template_breaks_the_content_security_policy(path: Path) -> None:
    source = path.read_text()
    assert [what for what, pattern in FORBIDDEN.items() if pattern.search(source)] == []


def test_lines_of_templates_can_be_read() -> None:
    """Sentences that a tag or an attribute takes whole cannot be broken."""
    long = [
        (path, line)
        for path in TEMPLATES
        for line in path.read_text().splitlines()
        if len(line) > 200 and "data-confirm=" not in line and "{% empty_state" not in line
    ]
    assert long == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_template_compiles(path: Path) -> None:
    name = str(path).partition("/templates/")[2]
    template = get_template(name)
    assert isinstance(template, DjangoTemplate)
    assert template.origin.name == str(path)


@pytest.mark.parametrize(
    "markup",
    [
        '<p style="x">',
        "<style>",
        "<script>x</script>",
        '<a onclick="x">',
        '<a hx-on:click="x">',
        "<a hx-vals='js:{}'>",
        '<a href="javascript:x">',
        '<script src="https://cdn.example/x.js">',
    ],
)
def test_the_scan_sees_what_it_is_for(markup: str) -> None:
    assert any(pattern.search(markup) for pattern in FORBIDDEN.values())


@pytest.mark.parametrize("name", ["400.html", "403.html", "404.html", "500.html", "403_csrf.html"])
def test_error_pages_need_no_context(name: str) -> None:
    page = get_template(name).render()
    assert "<h1>" in page
    assert 'href="/"' in page


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_icons_that_templates_name_exist(path: Path) -> None:
    named = re.findall(r"""{%\s*(?:icon|empty_state)\s+["']([^"']+)["']""", path.read_text())
    assert set(named) <= NAMES
