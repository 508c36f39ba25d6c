"""The icons: twenty by twenty, strokes only, drawn for this project."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

_STROKES = {
    "arrow-left": "M16 10H4m5-5-5 5 5 5",
    "arrow-right": "M4 10h12m-5-5 5 5-5 5",
    "batch": "M3 7.5 10 4l7 3.5-7 3.5zM3 11l7 3.5 7-3.5M3 14l7 3.5 7-3.5",
    "bell": "M4 14.5h12l-1.5-2V9a4.5 4.5 0 0 0-9 0v3.5zM8.2 14.5a1.8 1.8 0 0 0 3.6 0M10 4.5v-2",
    "calendar": "M3.5 5h13v11.5h-13zM3.5 8.5h13M7 3v3.5M13 3v3.5",
    "chart": "M3 3v14h14M7 14v-4M11 14V6M15 14V9",
    "check": "m4 10.5 4 4 8-9",
    "chevron-down": "m5 8 5 5 5-5",
    "chevron-right": "m8 5 5 5-5 5",
    "clock": "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM10 6v4l2.7 2",
    "codebook": "M10 5.5C8.5 4 6 3.5 3 3.5v12c3 0 5.5.5 7 2 1.5-1.5 4-2 7-2v-12c-3 0-5.5.5-7 2zm0 0v12",
    "copy": "M7.5 7.5h9v9h-9zM12.5 7.5v-4h-9v9h4",
    "corpus": "M3.5 5.5c0-1.4 2.9-2.5 6.5-2.5s6.5 1.1 6.5 2.5S13.6 8 10 8 3.5 6.9 3.5 5.5zm0 0v9"
    "c0 1.4 2.9 2.5 6.5 2.5s6.5-1.1 6.5-2.5v-9M3.5 10c0 1.4 2.9 2.5 6.5 2.5s6.5-1.1 6.5-2.5",
    "cross": "m5 5 10 10M15 5 5 15",
    "download": "M10 3v9.5m-4-4 4 4 4-4M3.5 13.5V17h13v-3.5",
    "edit": "M4 16l.8-3.5L13.5 3.8l2.7 2.7-8.7 8.7zM11.5 5.8l2.7 2.7",
    "error": "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM7.7 7.7l4.6 4.6m0-4.6-4.6 4.6",
    "external": "M8 4H4v12h12v-4M11.5 3.5h5v5M16 4l-7 7",
    "file": "M5 2.5h6.5L15.5 6.5v11H5zM11 2.5V7h4.5",
    "filter": "M3 4.5h14L11.7 11v5.5L8.3 15v-4z",
    "flag": "M5 17.5v-15m0 1h9.5l-2 3.5 2 3.5H5",
    "folder": "M2.5 5v11h15V7H9.7L8 5z",
    "history": "M3.5 10a6.5 6.5 0 1 0 2-4.7L3.5 7.2M3.5 3.5v3.7h3.7M10 6.5V10l2.5 1.5",
    "home": "M3 9.5 10 3.5l7 6M5 8v8.5h3.5V12h3v4.5H15V8",
    "info": "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM10 9.3v4.2M10 6.5v.1",
    "item": "M3.5 4h13v12h-13zM6.5 7.5h7M6.5 10h7M6.5 12.5H11",
    "key": "M7 9a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM9.8 10.2 16.5 3.5m-2.5 2.5 2 2",
    "keyboard": "M2.5 5.5h15v9h-15zM5.5 8.5h.1M8.5 8.5h.1M11.5 8.5h.1M14.5 8.5h.1M6.5 11.7h7",
    "link": "M8.5 11.5a3 3 0 0 0 4.3.2l2.7-2.7a3 3 0 0 0-4.3-4.3l-1 1"
    "M11.5 8.5a3 3 0 0 0-4.3-.2L4.5 11a3 3 0 0 0 4.3 4.3l1-1",
    "lock": "M4.5 9h11v8h-11zM7 9V6.3a3 3 0 0 1 6 0V9",
    "log-out": "M8 3.5H3.5v13H8M8 10h9m-3.5-3.5L17 10l-3.5 3.5",
    "menu": "M3 5.5h14M3 10h14M3 14.5h14",
    "model": "M4.5 3.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM4.5 12.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"
    "M15.5 8a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM6.4 6.2l7.2 3M6.4 13.8l7.2-3",
    "moon": "M16.5 11.5A7 7 0 0 1 8.5 3.5a7 7 0 1 0 8 8z",
    "pause": "M6.5 4v12M13.5 4v12",
    "people": "M7.5 4a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4zM2.5 16.5c0-2.8 2.2-4.5 5-4.5s5 1.7 5 4.5"
    "M13 4.2a2.6 2.6 0 0 1 0 5M14.5 12.2c1.9.5 3 2 3 4.3",
    "play": "M6 4v12l10-6z",
    "plus": "M10 4v12M4 10h12",
    "quote": "M3 4h14v9.5h-7L6 17v-3.5H3zM7 8h6M7 10.3h3.5",
    "refresh": "M16.5 10a6.5 6.5 0 1 1-2-4.7l2 1.9M16.5 3.5v3.7h-3.7",
    "sample": "M3 3h14v14H3zM6.5 6.5h.1M10 10h.1M13.5 13.5h.1M13.5 6.5h.1M6.5 13.5h.1",
    "scale": "M10 3v13.5M6.5 16.5h7M4 5.5h12M4 5.5 2 11h4zM16 5.5 14 11h4z",
    "search": "M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM13 13l4 4",
    "settings": "M3 6h6m4 0h4M3 14h3m4 0h7M11 4a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"
    "M8 12a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
    "study": "M7.5 3h5M8.5 3v5L3.8 15.5A1 1 0 0 0 4.7 17h10.6a1 1 0 0 0 .9-1.5L11.5 8V3M6.3 12.5h7.4",
    "sun": "M10 6.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18"
    "M4.3 4.3l1.1 1.1"
    "M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1",
    "table": "M3 4h14v12H3zM3 8h14M3 12h14M8.5 4v12",
    "tag": "M3 3.5h6.5l7.5 7.5-6 6L3.5 9.5zM6.8 7.2h.1",
    "trash": "M3.5 5.5h13M8 5.5V3.5h4v2M5 5.5l.8 11.5h8.4L15 5.5M8.5 8.5v5.5M11.5 8.5v5.5",
    "upload": "M10 12.5V3M6 7l4-4 4 4M3.5 13.5V17h13v-3.5",
    "user": "M10 3.5a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4zM4 17c0-3 2.7-4.8 6-4.8s6 1.8 6 4.8",
    "warning": "M10 3 18 16.5H2zM10 8v4M10 14.2v.1",
}
NAMES = frozenset(_STROKES)


class UnknownIcon(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(f"There is no icon “{name}”. Use one of: {', '.join(sorted(NAMES))}.")


def icon_svg(name: str, label: str = "", size: str = "", extra_class: str = "") -> SafeString:
    """Inline SVG; silent for screen readers unless it has a label."""
    if name not in NAMES:
        raise UnknownIcon(name)
    classes = " ".join(filter(None, ("icon", f"icon--{size}" if size else "", extra_class)))
    spoken = format_html('role="img" aria-label="{}"', label) if label else mark_safe('aria-hidden="true"')
    return format_html(
        '<svg class="{}" viewBox="0 0 20 20" {}><path d="{}"/></svg>', classes, spoken, _STROKES[name]
    )
