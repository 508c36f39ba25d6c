"""An ordinary copy of one of the study's posts is recognised, whichever field its title was pasted into."""

from __future__ import annotations

import pytest

from backend.design.samples.models import Item
from backend.publish.feedback.reading import belongs_to
from learning.suggestions.asking import TextAsked
from tests.cast import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]
TITLE, BODY = "My sister moves out", "She leaves in May.\n\nI dread it."
ALONE = "How do I tell my sister that I miss her?"
REPLY = "Tell her before May comes, and tell her again afterwards."


@pytest.fixture
def cast_with_items(cast: Cast) -> Cast:
    for number, (title, body) in enumerate([(TITLE, BODY), (ALONE, ""), ("", "No title here.")]):
        Item.objects.create(
            study=cast.study,
            item_id=f"item-{number}",
            platform="reddit",
            community="lane",
            post_id=f"p{number}",
            reply_id=f"r{number}",
            title=title,
            post_text=body,
            reply_text=REPLY,
        )
    return cast


@pytest.mark.parametrize(
    ("title", "post"),
    [
        (TITLE, BODY),
        ("", BODY),
        ("A title of my own", BODY),
        ("", f"{TITLE}\n{BODY}"),
        ("", f"  {TITLE.upper()}\r\n\r\n{BODY}  "),
        (TITLE, f"{TITLE}\n{BODY}"),
        (f"{TITLE} She", "leaves in May. I dread it."),
        ("", ALONE),
        (ALONE, ALONE),
        (ALONE, " "),
        ("", "no title  here."),
    ],
)
def test_a_copy_of_a_post_belongs_to_the_study(cast_with_items: Cast, title: str, post: str) -> None:
    assert belongs_to(cast_with_items.study, TextAsked(title, post, None))


@pytest.mark.parametrize(
    ("title", "post", "reply"),
    [
        # A title says little where the post is another one.
        (TITLE, "Another story.", None),
        ("", TITLE, None),
        (ALONE, "Another story.", None),
        ("", f"{BODY} And more.", None),
        ("", "", None),
        ("", "Another story.", "Thank you."),
    ],
)
def test_another_text_does_not(cast_with_items: Cast, title: str, post: str, reply: str | None) -> None:
    assert not belongs_to(cast_with_items.study, TextAsked(title, post, reply))


def test_a_copy_of_a_reply_does(cast_with_items: Cast) -> None:
    assert belongs_to(cast_with_items.study, TextAsked("", "Another story.", REPLY.upper()))
