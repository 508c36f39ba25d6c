"""The pages of active learning, as a researcher uses them."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from backend.core.jobs.models import Job
from backend.learn.active_learning.models import Choice, SavingsReading
from backend.learn.active_learning.queue import PREDICT_POOL, READ_METER
from learning.learning_curves.intervals import Interval
from learning.learning_curves.meter import MeterReading, encode_reading
from learning.learning_curves.savings import LabelsNeeded, MeanPoint, Savings, SavingsVerdict
from learning.learning_curves.stopping import Advice, StoppingAdvice
from tests.backend.learn.active_learning.fixtures import Pooled
from tests.backend.learn.models.fixtures import run
from tests.cast import NOW, Cast
from tests.page_text import page_text

pytestmark = pytest.mark.django_db

FORM: dict[str, object] = {
    "name": "Chosen 1",
    "strategy": "random",
    "samples": ["Pool"],
    "n": "9",
    "random_share": "0.2",
    "annotators": ["amal", "chen"],
    "seed": "4",
}


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


def page(client: Client, where: str = "overview", data: dict[str, object] | None = None) -> str:
    address = reverse(f"active_learning:{where}", args=["kind-words"])
    answer = client.post(address, data) if data else client.get(address)
    assert answer.status_code == 200
    return page_text(answer)


def reading(verdict: SavingsVerdict, advice: Advice) -> MeterReading:
    gain = {
        SavingsVerdict.GAINED: Interval(0.03, 0.01, 0.05),
        SavingsVerdict.LOST: Interval(-0.03, -0.05, -0.01),
        SavingsVerdict.NOTHING_SHOWN: Interval(0.002, -0.02, 0.024),
    }[verdict]
    points = tuple(MeanPoint(n, Interval(0.5 + n / 1000, 0.4, 0.7)) for n in (50, 100, 150))
    return MeterReading(
        learner="latent-logistic",
        n_items=400,
        n_random=200,
        n_chosen=200,
        n_gold=390,
        n_effective=211.4,
        n_codes=3,
        n_trials=20,
        seed=1,
        savings=Savings(
            150, gain, LabelsNeeded(150, 110.0, 90.0, None), verdict, points, (*points, points[-1])
        ),
        savings_reason="",
        advice=StoppingAdvice(400, 100, Interval(0.004, 0.001, 0.007), 0.01, advice),
        advice_reason="",
    )


def kept(cast: Cast, found: MeterReading) -> None:
    SavingsReading.objects.create(
        study=cast.study,
        inputs_hash="0" * 64,
        content=encode_reading(found).decode(),
        series=1,
        look=1,
        n_items=found.n_items,
        measured_at=NOW,
    )


def test_an_empty_study_is_told_what_to_do_first(rosa: Client) -> None:
    assert "No codebook yet" in page(rosa)
    assert "No codebook yet" in page(rosa, "choose")


def test_without_a_model_chance_is_offered_and_the_way_to_a_model(pooled: Pooled, rosa: Client) -> None:
    shown = page(rosa)
    assert "No model is in service" in shown and "a retraining" in shown
    assert "Not read yet" in shown and "No chosen batch yet" in shown
    form = page(rosa, "choose")
    assert re.findall(r'name="strategy" value="([\w-]+)"', form) == ["random"]
    assert "Only chance can choose now" in form


def test_a_batch_is_seen_and_then_opened(pooled: Pooled, rosa: Client) -> None:
    shown = page(rosa, "choose", FORM)
    assert "9</strong> of 60 items" in shown and "200 words a minute" in shown
    assert not Choice.objects.exists()
    seen = re.findall(r'name="seen" value="(\w+)"', shown)[0]
    answer = rosa.post(reverse("active_learning:choose", args=["kind-words"]), FORM | {"seen": seen})
    assert answer.status_code == 302
    choice = Choice.objects.get()
    assert answer["Location"].endswith(f"/batches/{choice.batch_id}")
    assert "Chosen 1" in page(rosa) and "random" in page(rosa)
    # The batch's own page and the plan say what it is for
    of_batch = rosa.get(answer["Location"]).content.decode()
    assert all("To learn from and to estimate with" in each for each in (shown, of_batch))


def test_a_plan_that_nobody_saw_is_shown_and_not_opened(pooled: Pooled, rosa: Client) -> None:
    shown = page(rosa, "choose", FORM | {"seen": "0" * 64})
    assert "This cannot be opened as it is" in shown and "What is chosen" in shown
    assert not Choice.objects.exists()


def test_the_pool_is_predicted_from_the_page(pooled: Pooled, rosa: Client) -> None:
    pooled.model_in_service()
    asked = FORM | {"strategy": "entropy"}
    assert "60 of 60 items are not predicted yet" in page(rosa, "choose", asked)
    assert "Waiting for a worker" in page(rosa, "choose", asked | {"predict": "yes"})
    job = Job.objects.get(kind=PREDICT_POOL)
    assert pooled.predicted().pk == job.pk
    live = rosa.get(reverse("active_learning:progress", args=["kind-words", job.pk])).content.decode()
    assert "60 items of the pool were predicted" in live and "hx-get" not in live
    shown = page(rosa, "choose", asked)
    assert "7 by the strategy and 2 by chance" in shown and "What the strategy wants most" in shown


def test_what_is_wrong_is_said(pooled: Pooled, rosa: Client) -> None:
    assert "61 items of a pool of 60" in page(rosa, "choose", FORM | {"n": "61"})
    assert "Correct what is marked" in page(rosa, "choose", FORM | {"n": "0"})
    missing = {name: value for name, value in FORM.items() if name != "samples"}
    assert "Correct what is marked" in page(rosa, "choose", missing)


def test_the_meter_is_read_from_the_page(pooled: Pooled, rosa: Client) -> None:
    rosa.post(reverse("active_learning:read_meter", args=["kind-words"]))
    job = Job.objects.get(kind=READ_METER)
    assert f"Job {job.pk}" in page(rosa)
    run(job)
    live = rosa.get(reverse("active_learning:progress", args=["kind-words", job.pk])).content.decode()
    assert "It could not be done" in live and "Annotate first" in live
    assert rosa.get(reverse("active_learning:progress", args=["kind-words", 999])).status_code == 404


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (SavingsVerdict.GAINED, "Active learning has gained something"),
        (SavingsVerdict.LOST, "Active learning has cost something"),
        (SavingsVerdict.NOTHING_SHOWN, "No gain can be shown so far"),
    ],
)
def test_the_meter_says_what_it_shows(
    pooled: Pooled, rosa: Client, verdict: SavingsVerdict, words: str
) -> None:
    kept(pooled.cast, reading(verdict, Advice.STOP))
    shown = page(rosa)
    assert words in shown and "Score by number of labels" in shown
    assert (
        "What 150 random labels give, about 110 of the mix give (95% interval: 90 to more than 150)" in shown
    )
    assert "This is reading 1 on about these labels" in shown
    assert "you can stop" in shown and "+0.4 points (95% interval +0.1 to +0.7)" in shown


@pytest.mark.parametrize(
    ("advice", "words"),
    [(Advice.GO_ON, "go on"), (Advice.CANNOT_SAY, "It cannot be said yet"), (Advice.STOP, "below 1 point")],
)
def test_advice_is_in_words(pooled: Pooled, rosa: Client, advice: Advice, words: str) -> None:
    kept(pooled.cast, reading(SavingsVerdict.NOTHING_SHOWN, advice))
    assert words in page(rosa)


def test_an_empty_pool_says_what_to_do(pooled: Pooled, rosa: Client) -> None:
    assert "The pool is empty" not in page(rosa) + page(rosa, "choose")
    every = FORM | {"n": "60"}
    seen = re.findall(r'name="seen" value="(\w+)"', page(rosa, "choose", every))[0]
    rosa.post(reverse("active_learning:choose", args=["kind-words"]), every | {"seen": seen})
    for where in ("overview", "choose"):
        shown = page(rosa, where)
        assert "The pool is empty" in shown
        assert f'href="{reverse("samples:draw", args=["kind-words"])}"' in shown
