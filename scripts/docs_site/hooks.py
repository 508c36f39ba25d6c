"""What MkDocs is told beyond mkdocs.yml: Markdown as GitHub reads it, Attune's own look, tables that scroll.

The site needs no network and no inline script or style, so that Attune can serve it under its content security policy.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "backend/core/web/static"
LOOK = ("attune/*.css", "attune/theme.js", "attune/mark.svg", "vendor/fonts/*")
# Pages from outside docs/ that its pages lead to, by their address in the site
OUTSIDE = {"contributing.md": "CONTRIBUTING.md"}
FENCE = re.compile(r"^\s*(```|~~~)")
# [running.md](running.md#ports) is read as [Running Attune](running.md#ports)
NAMED_BY_FILE = re.compile(r"\[(\w+\.md)\]\((\1(?:#[\w-]+)?)\)")
LIST_ITEM = re.compile(r"^(?:[-*+]|\d+[.)]) +")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.mdx_configs["toc"] = {**config.mdx_configs.get("toc", {}), "slugify": github_slug}
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for address, name in OUTSIDE.items():
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, address, content=text))
    for pattern in LOOK:
        for path in sorted(STATIC.glob(pattern)):
            address = f"look/{path.relative_to(STATIC)}"
            files.append(File.generated(config, address, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, files: Files, **_: object) -> str:
    def with_title(link: re.Match[str]) -> str:
        file = files.get_file_from_path(link[1])
        return f"[{file.page.title}]({link[2]})" if file and file.page else link[0]

    for address, name in OUTSIDE.items():
        markdown = markdown.replace(f"[{name}](../", f"[{address}](../").replace(
            f"](../{name}", f"]({address}"
        )
    return as_on_github(NAMED_BY_FILE.sub(with_title, markdown))


def on_page_content(html: str, **_: object) -> str:
    html = html.replace(
        "<table>",
        '<div class="table-wrap" role="region" aria-label="Table" tabindex="0"><table class="table">',
    )
    return html.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


def on_post_build(config: MkDocsConfig) -> None:
    """The search finds a page by its beginning and each section by its text, once, and says which page it is of."""
    path = Path(config.site_dir, "search/search_index.json")
    index = json.loads(path.read_text(encoding="utf-8"))
    pages: dict[str, dict[str, str]] = {}
    begun: set[str] = set()
    sections: list[dict[str, str]] = []
    for entry in index["docs"]:
        address, _, anchor = entry["location"].partition("#")
        if not anchor:
            pages[address] = entry
        elif address not in begun:
            begun.add(address)
            pages[address]["text"] = entry["text"]
        else:
            sections.append({**entry, "title": f"{pages[address]['title']}: {entry['title']}"})
    index["docs"] = [*pages.values(), *sections]
    path.write_text(json.dumps(index, ensure_ascii=False), encoding="utf-8")


def github_slug(heading: str, separator: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def as_on_github(markdown: str) -> str:
    """MkDocs' Markdown wants an empty line before a list and after a long item, and four spaces inside of items."""
    lines: list[str] = []
    fenced, indent, has_parts = False, 0, False
    for line in markdown.split("\n"):
        before = lines[-1] if lines else ""
        if FENCE.match(line):
            fenced = not fenced
        item = None if fenced else LIST_ITEM.match(line)
        if item:
            if before and (has_parts or not indent):
                lines.append("")
            indent, has_parts = len(item[0]), False
        elif indent and line.startswith(" " * indent):
            has_parts |= not before
            line = " " * (4 - indent) + line
        elif line and not line[0].isspace() and not before:
            indent, has_parts = 0, False
        lines.append(line)
    return "\n".join(lines)
