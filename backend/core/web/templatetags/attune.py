"""The components of the design system as tags and filters; settings make them builtins of every template."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import Any

from django import template
from django.core.paginator import Page
from django.template.context import Context
from django.template.defaultfilters import stringfilter
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from backend.core.web import formats
from backend.core.web.charts import Chart
from backend.core.web.charts.report import ReportFigure
from backend.core.web.formats import within_data
from backend.core.web.icons import icon_svg
from learning.alpha_spending import fine_percent

register = template.Library()

_HEX_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_TONES = frozenset({"neutral", "accent", "info", "good", "warn", "bad"})
_CALLOUT_ICONS = {"info": "info", "good": "check", "warn": "warning", "error": "error"}
_MESSAGE_KINDS = {"success": "good", "warning": "warn", "error": "error"}


class UnknownTone(ValueError):
    def __init__(self, tone: str, allowed: frozenset[str]) -> None:
        super().__init__(f"There is no tone “{tone}”. Use one of: {', '.join(sorted(allowed))}.")


register.filter("thousands", formats.thousands)
register.filter("percent", formats.percent)
register.filter("fine_percent", fine_percent)
register.filter("points", formats.points)
register.filter("signed_points", formats.signed_points)
register.filter("duration", formats.duration)
register.filter("filesize", formats.filesize)
register.filter("short_hash", formats.short_hash)
register.filter("within_data", within_data)


@register.filter(is_safe=True)
@stringfilter
def trim(text: str) -> str:
    """Without space around it, so that a place that nothing was put into is empty to CSS."""
    return text.strip()


@register.filter
def ago(moment: datetime | date | None) -> SafeString:
    """How long ago, with the exact time in the title."""
    if moment is None:
        return SafeString(formats.NOTHING)
    exact = moment if isinstance(moment, datetime) else datetime.combine(moment, time())
    aware = timezone.make_aware(exact) if timezone.is_naive(exact) else exact
    local = timezone.localtime(aware)
    shown = f"{local:%A} {local.day} {local:%B %Y}" + (f", {local:%H:%M %Z}" if exact is moment else "")
    words = formats.distance_in_time(aware, timezone.now())
    return format_html('<time datetime="{}" title="{}">{}</time>', aware.isoformat(), shown, words)


@register.filter
def message_kind(tags: str) -> str:
    """Which callout shows a message with these tags."""
    return next((_MESSAGE_KINDS[tag] for tag in tags.split() if tag in _MESSAGE_KINDS), "info")


@register.simple_tag
def icon(name: str, label: str = "", size: str = "") -> SafeString:
    return icon_svg(name, label, size)


@register.simple_tag
def badge(text: str, tone: str = "neutral", icon: str = "") -> SafeString:
    if tone not in _TONES:
        raise UnknownTone(tone, _TONES)
    drawn = icon_svg(icon) if icon else ""
    return format_html('<span class="badge badge--{}">{}{}</span>', tone, drawn, text)


@register.simple_tag
def swatch(colour: str) -> SafeString:
    """A square in a codebook's colour; anything that is not a hex colour is drawn grey."""
    safe = colour if _HEX_COLOUR.fullmatch(colour or "") else "#808080"
    return format_html(
        '<svg class="swatch" viewBox="0 0 12 12" aria-hidden="true">'
        '<rect x="0.5" y="0.5" width="11" height="11" rx="2.5" fill="{}"/></svg>',
        safe,
    )


@register.simple_tag
def code_tag(label: str, colour: str, hotkey: str = "") -> SafeString:
    key = format_html("<kbd>{}</kbd>", hotkey) if hotkey else ""
    return format_html('<span class="code-tag">{}<span>{}</span>{}</span>', swatch(colour), label, key)


@register.inclusion_tag("components/stat.html")
def stat(label: str, value: object, note: str = "", url: str = "") -> dict[str, object]:
    return {"label": label, "value": value, "note": note, "url": url}


@register.inclusion_tag("components/meter.html")
def meter(
    label: str, value: float | None = None, max: float = 100, note: str = "", tone: str = "accent"
) -> dict[str, object]:
    if tone not in _TONES:
        raise UnknownTone(tone, _TONES)
    return {"label": label, "value": value, "max": max, "note": note, "tone": tone}


@register.inclusion_tag("components/copy_button.html")
def copy_button(text: str, label: str = "Copy") -> dict[str, object]:
    return {"text": text, "label": label}


@register.simple_block_tag
def callout(content: str, kind: str = "info", heading: str = "") -> SafeString:
    if kind not in _CALLOUT_ICONS:
        raise UnknownTone(kind, frozenset(_CALLOUT_ICONS))
    context = {"content": content, "kind": kind, "heading": heading, "icon": _CALLOUT_ICONS[kind]}
    return render_to_string("components/callout.html", context)


@register.simple_block_tag
def card(content: str, heading: str = "") -> SafeString:
    return render_to_string("components/card.html", {"content": content, "heading": heading})


@register.simple_block_tag
def empty_state(content: str, icon: str, heading: str, text: str = "") -> SafeString:
    context = {"actions": content.strip(), "icon": icon, "heading": heading, "text": text}
    # Stripping made a plain string of the block's already escaped output.
    context["actions"] = SafeString(context["actions"])
    return render_to_string("components/empty_state.html", context)


@register.simple_block_tag
def code_block(content: str, label: str = "") -> SafeString:
    return render_to_string(
        "components/code_block.html", {"content": SafeString(content.strip("\n")), "label": label}
    )


@register.inclusion_tag("components/pagination.html", takes_context=True)
def pagination(context: Context, page: Page[Any]) -> dict[str, object]:
    """First, last and the neighbours of a page, keeping what else the address asks for."""
    last = page.paginator.num_pages
    wanted = sorted({1, last, *range(max(1, page.number - 1), min(last, page.number + 1) + 1)})
    numbers: list[int | None] = []
    for number in wanted:
        if numbers and number - (numbers[-1] or 0) > 1:
            numbers.append(None)
        numbers.append(number)
    return {"page": page, "numbers": numbers}


@register.inclusion_tag("charts/report_figure.html")
def report_figure(figure: ReportFigure) -> dict[str, object]:
    return {"figure": figure}


@register.inclusion_tag("charts/figure.html")
def chart_figure(chart: Chart) -> dict[str, object]:
    legend = [(f"series-{index % 8 + 1}", name) for index, name in enumerate(chart.legend)]
    return {"chart": chart, "legend": legend}
