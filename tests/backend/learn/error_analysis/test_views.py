"""The page of errors: both sides' words, tags by one click, the test part only by name."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from django.test import Client

from annotation.release.rows import SplitPart
from backend.decide.adjudication.models import Suspicion
from backend.learn.error_analysis.models import ErrorMark
from backend.learn.models.models import Adapter
from learning.predictions.files import predictions_file
from tests.backend.decide.releases.fixtures import EMOTIONS
from tests.backend.learn.error_analysis.fixtures import first_item
from tests.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


@pytest.fixture
def here(adapter: Adapter) -> str:
    return f"/studies/kind-words/models/{adapter.number}/errors"


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def test_both_sides_words_stand_side_by_side(rosa: Client, here: str, adapter: Adapter) -> None:
    page = text(rosa, here)
    assert page.count("data-error>") == 1
    assert "False positive" in page and "the model holds it for 90% probable" in page
    assert '<q dir="auto">I feel lost</q>' in page, "the model's words"
    votes = next(label.votes for label in first_item(adapter).labels if label.code == EMOTIONS)
    assert len(votes) == 3 and all(f'<dt title="{vote.annotator}">' in page for vote in votes)
    assert '<span class="m2 ">feel</span>' in page, "and where they stand in the text"
    assert f'href="{here}"' in text(rosa, f"/studies/kind-words/models/{adapter.number}")


def test_the_test_part_comes_only_by_name_and_with_a_warning(rosa: Client, here: str) -> None:
    assert "This is the test part" not in text(rosa, here)
    assert "This is the test part" in text(rosa, f"{here}?part=test")
    assert "This is the test part" not in text(rosa, f"{here}?part=train")


def test_filters_keep_what_is_asked_for(rosa: Client, here: str) -> None:
    assert text(rosa, f"{here}?code={EMOTIONS}&kind=false-positive&tag=none").count("data-error>") == 1
    for wrong in ("kind=false-negative", "tag=quoted-speech", "code=asking-advice"):
        assert "None of these" in text(rosa, f"{here}?{wrong}")


def test_a_tag_is_put_and_taken_off_without_a_script(rosa: Client, here: str, adapter: Adapter) -> None:
    where = {"item": first_item(adapter).item.item_id, "code": EMOTIONS}
    answer = rosa.post(
        f"{here}/mark?part=validation&kind=false-positive", {**where, "put": "annotation-error"}
    )
    assert answer.status_code == 302 and "kind=false-positive" in answer["Location"]
    page = text(rosa, answer["Location"])
    assert "in the queue of adjudication" in page and 'name="take" value="annotation-error"' in page
    assert Suspicion.objects.get().gone_at is None
    rosa.post(f"{here}/mark", {**where, "take": "annotation-error"})
    assert Suspicion.objects.get().gone_at is not None
    assert rosa.post(f"{here}/undo").status_code == 302
    assert Suspicion.objects.get().gone_at is None and ErrorMark.objects.count() == 3


def test_within_the_page_only_the_tags_and_the_counts_are_drawn_anew(
    rosa: Client, here: str, adapter: Adapter
) -> None:
    where = {"item": first_item(adapter).item.item_id, "code": EMOTIONS, "put": "wrong-subject"}
    answer = rosa.post(f"{here}/mark", where, headers={"HX-Request": "true"})
    fragment = answer.content.decode()
    assert 'name="take" value="wrong-subject"' in fragment and 'hx-swap-oob="true"' in fragment
    assert "<article" not in fragment and "<form" not in fragment, "what listens to keys stays"
    assert rosa.post(f"{here}/mark", {**where, "put": "nonsense"}).status_code == 404
    wrong = rosa.post(f"{here}/mark", {**where, "code": "asking-advice"}, headers={"HX-Request": "true"})
    assert wrong.status_code == 404


def test_the_table_has_words_only_if_asked(rosa: Client, here: str, adapter: Adapter) -> None:
    plain = rosa.get(f"{here}/export.csv").content.decode()
    (row,) = csv.DictReader(StringIO(plain))
    assert row["model_words"] == "2-13" and row["item"] == first_item(adapter).item.item_id
    (told,) = csv.DictReader(StringIO(rosa.get(f"{here}/export.csv?words=1").content.decode()))
    assert "feel lost" in told["model_words"]


def test_without_predictions_it_says_what_to_do(rosa: Client, here: str, adapter: Adapter) -> None:
    (adapter.measured / predictions_file(SplitPart.VALIDATION)).unlink()
    assert "train it again" in text(rosa, here)
    assert rosa.get(f"{here}/export.csv").status_code == 404
    where = {"item": first_item(adapter).item.item_id, "code": EMOTIONS, "put": "wrong-subject"}
    within = rosa.post(f"{here}/mark", where, headers={"HX-Request": "true"})
    assert within.headers["HX-Refresh"] == "true"
    assert rosa.post(f"{here}/mark", where).status_code == 302


def test_annotators_and_outsiders_see_nothing(here: str, cast: Cast) -> None:
    for user, status in ((cast.amal, 403), (cast.otto, 404)):
        client = Client()
        client.force_login(user)
        for address in (here, f"{here}/export.csv"):
            assert client.get(address).status_code == status
        assert client.post(f"{here}/mark").status_code == status
        assert client.post(f"{here}/undo").status_code == status
