"""Tags and filters make the markup that the styles expect, and escape what they are given."""

from datetime import date, timedelta

import pytest
from django.core.paginator import Paginator
from django.template import Context, RequestContext, Template
from django.test import RequestFactory
from django.utils import timezone

from backend.core.web.icons import NAMES, UnknownIcon
from backend.core.web.templatetags.attune import UnknownTone

HOSTILE = "<em onclick=x>"


def render(source: str, **values: object) -> str:
    return Template(source).render(Context(values))


@pytest.mark.parametrize(
    "source",
    [
        "{% badge x %}",
        "{% code_tag x '#123456' hotkey=x %}",
        "{% stat x x note=x url=x %}",
        "{% meter x value=1 note=x %}",
        "{% copy_button x x %}",
        "{% callout 'info' x %}{{ x }}{% endcallout %}",
        "{% card x %}{{ x }}{% endcard %}",
        "{% empty_state 'corpus' x x %}{{ x }}{% endempty_state %}",
        "{% code_block label=x %}{{ x }}{% endcode_block %}",
        "{% icon 'flag' label=x %}",
        "{{ x|short_hash }}",
    ],
)
def test_what_is_given_is_escaped(source: str) -> None:
    page = render(source, x=HOSTILE)
    assert "<em" not in page
    assert "&lt;em" in page


def test_a_colour_that_is_no_colour_cannot_enter_the_page() -> None:
    assert 'fill="#1f7a8c"' in render("{% swatch '#1f7a8c' %}")
    assert 'fill="#808080"' in render("{% swatch x %}", x="url(//elsewhere.example)")


def test_unknown_names_say_what_there_is() -> None:
    with pytest.raises(UnknownIcon, match="codebook"):
        render("{% icon 'unicorn' %}")
    with pytest.raises(UnknownTone, match="accent"):
        render("{% badge 'x' 'loud' %}")
    with pytest.raises(UnknownTone, match="warn"):
        render("{% callout 'loud' %}{% endcallout %}")


@pytest.mark.parametrize("name", sorted(NAMES))
def test_icons_are_silent_unless_labelled(name: str) -> None:
    assert 'aria-hidden="true"' in render("{% icon name %}", name=name)
    assert 'aria-label="Seen"' in render("{% icon name label='Seen' %}", name=name)


def test_a_meter_without_a_value_is_indeterminate() -> None:
    assert "value=" not in render("{% meter 'Waiting' %}")
    assert 'max="100" value="43"' in render("{% meter 'Importing' value=43 %}")


def test_an_empty_state_without_an_action_has_no_row_for_it() -> None:
    assert "empty__actions" not in render("{% empty_state 'flag' 'None' %}\n{% endempty_state %}")


def test_ago_carries_the_exact_time() -> None:
    page = render("{{ moment|ago }}", moment=timezone.now() - timedelta(hours=3, minutes=1))
    assert "3 hours ago" in page
    assert "<time datetime=" in page
    assert "title=" in page
    assert render("{{ moment|ago }}", moment=None) == "–"
    assert "2 January 2020" in render("{{ moment|ago }}", moment=date(2020, 1, 2))


@pytest.mark.parametrize(
    ("tags", "kind"), [("success", "good"), ("extra error", "error"), ("debug", "info"), ("", "info")]
)
def test_messages_find_their_callout(tags: str, kind: str) -> None:
    assert render("{{ tags|message_kind }}", tags=tags) == kind


def test_pagination_keeps_the_rest_of_the_address() -> None:
    request = RequestFactory().get("/items", {"community": "grief & loss", "page": "7"})
    page = Paginator(range(1000), 25).get_page(7)
    shown = Template("{% pagination page %}").render(RequestContext(request, {"page": page}))
    assert "?community=grief+%26+loss&amp;page=8" in shown
    assert "151–175 of 1,000" in shown
    assert shown.count("…") == 2
    assert 'aria-current="page" aria-label="Page 7"' in shown


def test_one_page_needs_no_pagination() -> None:
    assert render("{% pagination page %}", page=Paginator([1], 25).get_page(1)).strip() == ""
