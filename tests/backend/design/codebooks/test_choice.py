"""Who starts a study chooses a codebook by what it asks."""

from __future__ import annotations

from django.test import Client

from codebook.shipped import load_shipped
from tests.cast import Cast


def test_the_choice_of_a_codebook_says_how_much_it_asks_and_what(client: Client, cast: Cast) -> None:
    client.force_login(cast.rosa)
    page = " ".join(client.get(f"/studies/{cast.study.slug}/codebook").content.decode().split())
    assert "<code>empathy-practices</code> · 5 questions · 13 codes · on post and reply" in page
    for _, code in load_shipped("epitome").coded_questions():
        assert code.name in page
