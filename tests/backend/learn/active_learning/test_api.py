"""Active learning from a notebook, and from the terminal."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from backend.learn.active_learning.models import Choice
from learning.learning_curves.savings import SavingsVerdict
from learning.learning_curves.stopping import Advice
from tests.backend.learn.active_learning.fixtures import Pooled
from tests.backend.learn.active_learning.test_views import kept, reading

pytestmark = pytest.mark.django_db
ASKED = {
    "name": "Chosen 1",
    "strategy": "random",
    "samples": ["Pool"],
    "n": 8,
    "annotators": ["amal"],
    "seed": 3,
}


@pytest.fixture
def rosa(pooled: Pooled) -> Client:
    client = Client()
    client.force_login(pooled.cast.rosa)
    return client


def address(path: str) -> str:
    return f"/api/v1/studies/kind-words/active-learning/{path}"


def test_a_batch_is_previewed_opened_and_read(pooled: Pooled, rosa: Client) -> None:
    assert rosa.get(address("pool")).json() == {"left": {"Pool": 60}, "adapter": None, "predicted": 0}
    seen = rosa.post(address("preview"), ASKED, content_type="application/json").json()
    assert (seen["n_random"], seen["n_strategy"], seen["shares"]) == (8, 0, {"amal": 8})
    opened = rosa.post(
        address("batches"), ASKED | {"plan_hash": seen["plan_hash"]}, content_type="application/json"
    )
    assert opened.status_code == 201, opened.content
    assert opened.json()["items"] == seen["items"]
    batch = Choice.objects.get().batch_id
    assert rosa.get(address(f"batches/{batch}")).json() == opened.json()
    assert [each["batch"] for each in rosa.get(address("batches")).json()] == [batch]
    assert rosa.get(address("batches/999")).status_code == 404
    again = rosa.post(address("batches"), ASKED, content_type="application/json")
    assert again.status_code == 422 and again.json()["error"] == "NameTaken"


def test_refusals_say_what_to_do(pooled: Pooled, rosa: Client) -> None:
    no_model = rosa.post(address("preview"), ASKED | {"strategy": "margin"}, content_type="application/json")
    assert no_model.status_code == 422 and no_model.json()["error"] == "NoModel"
    never = rosa.post(address("preview"), ASKED | {"random_share": 0}, content_type="application/json")
    assert never.status_code == 422


def test_the_pool_is_predicted_on_demand(pooled: Pooled, rosa: Client) -> None:
    pooled.model_in_service()
    asked = {"strategy": "entropy", "samples": ["Pool"]}
    one = rosa.post(address("pool/predict"), asked, content_type="application/json")
    other = rosa.post(address("pool/predict"), asked, content_type="application/json")
    assert one.status_code == 202 and one.json()["id"] == other.json()["id"]


def test_the_meter_is_asked_for_and_read(pooled: Pooled, rosa: Client) -> None:
    assert rosa.get(address("meter")).status_code == 404
    asked = rosa.post(address("meter"), {"n_next": 50}, content_type="application/json")
    assert asked.status_code == 202
    kept(pooled.cast, reading(SavingsVerdict.GAINED, Advice.GO_ON))
    found = rosa.get(address("meter")).json()
    assert found["reading"]["savings"]["verdict"] == "gained"
    assert "Active learning has gained something." in found["words"]


def command(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


CHOOSE = ("choose_batch", "kind-words", "--name", "Chosen 1", "-n", "10", "--seed", "5")


def test_the_terminal_shows_a_choice_and_opens_it(pooled: Pooled) -> None:
    shown = command(*CHOOSE, "--strategy", "random", "--dry-run")
    assert "10 of 60 items: 0 by random, 10 at random" in shown and "bea: " in shown
    assert not Choice.objects.exists()
    opened = command(*CHOOSE, "--strategy", "random")
    plans = [re.findall(r"plan (\w+)", said)[0] for said in (shown, opened)]
    assert plans[0] == plans[1] and "Opened “Chosen 1”" in opened


def test_the_terminal_has_the_pool_predicted(pooled: Pooled) -> None:
    pooled.model_in_service()
    with pytest.raises(CommandError, match="ask again when it is done"):
        command(*CHOOSE, "--strategy", "margin", "--wait", "0")
    pooled.predicted()
    assert "8 by margin per minute, 2 at random" in command(*CHOOSE, "--strategy", "margin", "--per-cost")


def test_the_terminal_says_what_is_wrong(pooled: Pooled) -> None:
    with pytest.raises(CommandError, match="No model is in service"):
        command(*CHOOSE, "--strategy", "margin")
    with pytest.raises(CommandError, match="no study 'nowhere'"):
        command("choose_batch", "nowhere", *CHOOSE[2:], "--strategy", "random")
    with pytest.raises(CommandError, match="no study 'nowhere'"):
        command("savings", "nowhere")
    with pytest.raises(CommandError, match="not read yet"):
        command("savings", "kind-words", "--latest")
    with pytest.raises(CommandError, match="is not done after"):
        command("savings", "kind-words", "--wait", "0.01")


def test_the_terminal_prints_the_meter(pooled: Pooled) -> None:
    assert "reads the meter" in command("savings", "kind-words", "--wait", "0")
    kept(pooled.cast, reading(SavingsVerdict.NOTHING_SHOWN, Advice.CANNOT_SAY))
    said = command("savings", "kind-words", "--latest")
    assert "No gain can be shown so far." in said and "say as much as 211" in said
