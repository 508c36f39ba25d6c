"""A post and a reply are pasted: a real server answers, the page says it in the codebook's words, nothing is kept."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from lxml import html
from pytest_django.fixtures import Settings

from annotation.release.rows import SplitPart
from backend.core.accounts.models import User
from backend.core.accounts.services import create_token
from backend.publish.feedback.measured import Measured
from codebook.schema import Part
from tests.backend.learn.prelabels.fixtures import made_items
from tests.backend.publish.feedback.fixtures import PRACTICES, Bench, learn
from tests.cast import NOW, Cast
from tests.ml_backend.fixtures import HOPEFUL, PLAIN
from tests.servers import free_port

pytestmark = [pytest.mark.django_db, pytest.mark.database]
HERE = "/studies/kind-words/feedback"
CALL = "/api/v1/studies/kind-words/feedback"
POST, REPLY = (
    f"Well, 7 of us met. I mean {HOPEFUL}. Thank you.",
    f"Hello number 7. I say {PLAIN}. Good night!",
)
KIND_REPLY = f"Hello number 7. I say {HOPEFUL}. Good night!"


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def main_of(content: bytes) -> Any:
    page: Any = html.fromstring(content)
    return page.xpath("//main")[0]


def words_of(content: bytes) -> str:
    return " ".join(main_of(content).text_content().split())


def call(user: User, **texts: str | None) -> Any:
    _, token = create_token(user=user, name="test", now=NOW)
    notebook = Client(headers={"Authorization": f"Bearer {token}"})
    return notebook.post(CALL, json.dumps(texts), content_type="application/json")


def test_the_page_says_what_is_asked_for_and_what_the_reply_leaves_open(bench: Bench) -> None:
    bench.put_in_service(bench.practices)
    rosa = client_of(bench.cast.rosa)
    answer = rosa.post(HERE, {"title": "A title", "post": POST, "reply": REPLY})
    assert answer.status_code == 200
    page = words_of(answer.content)
    assert "A model says this, and it may err" in page
    assert "5 of 5 not answered." in page
    # The definition and an example of what would answer, as the edition has them.
    assert "The replier proposes something for the poster to do" in page
    assert "In your place I would put it in writing today." in page
    assert "its F1 for this theme was" in page
    marked = main_of(answer.content).xpath("//mark")
    assert marked and all(HOPEFUL.split()[0] in POST for _ in marked)
    assert "Asking for advice or opinions" in marked[0].get("title")
    assert any(word in " ".join(mark.text_content() for mark in marked) for word in HOPEFUL.split())
    met = words_of(rosa.post(HERE, {"post": POST, "reply": KIND_REPLY}).content)
    assert "Nothing is left open that the model can see." in met
    assert "The reply answers it by" in met


def test_a_post_alone_is_read_too(bench: Bench) -> None:
    bench.put_in_service(bench.practices)
    page = words_of(client_of(bench.cast.rosa).post(HERE, {"post": POST}).content)
    assert "No reply was pasted." in page and "Any of these in a reply would answer it" in page
    assert "Found in the reply" not in page


def test_levels_say_what_is_missing_and_what_strong_means(bench: Bench) -> None:
    bench.put_in_service(bench.epitome)
    rosa = client_of(bench.cast.rosa)
    page = words_of(rosa.post(HERE, {"post": POST, "reply": REPLY}).content)
    assert "What the reply could add" in page and "The model does not find it in the reply." in page
    assert "The reply asks about a particular feeling or experience and names it." in page
    assert "read as context; the codebook asks nothing about it" in page
    assert "What the post asks for" not in page
    strong = words_of(rosa.post(HERE, {"post": POST, "reply": KIND_REPLY}).content)
    assert "What the reply could add" not in strong and "Found in the reply" in strong
    alone = rosa.post(HERE, {"post": POST})
    assert alone.status_code == 422 and "paste a reply too" in words_of(alone.content)


def test_what_the_model_was_never_taught_is_not_said_to_be_missing(bench: Bench) -> None:
    bench.put_in_service(bench.replies)
    rosa = client_of(bench.cast.rosa)
    page = words_of(rosa.post(HERE, {"post": POST, "reply": KIND_REPLY}).content)
    assert "The model was taught nothing about the post." in page
    assert "The model can tell nothing that the codebook knows an answer to." in page
    assert "finds nothing" not in page and "finds none" not in page
    assert "The model was never taught: Asking for advice or opinions" in page
    said = call(bench.cast.rosa, post=POST, reply=KIND_REPLY).json()
    assert {each["part"] for each in said["findings"]} == {"reply"}
    assert set(said["unjudged"]) == {
        code.id for question in PRACTICES.questions_on(Part.POST) for code in question.codes
    }
    alone = rosa.post(HERE, {"post": POST})
    assert alone.status_code == 422 and "paste a reply too" in words_of(alone.content)


def test_the_call_says_the_same(bench: Bench) -> None:
    adapter = bench.put_in_service(bench.practices)
    said = call(bench.cast.rosa, post=POST, reply=REPLY).json()
    assert "may err" in said["notice"]
    assert (said["adapter"], said["adapter_id"]) == (adapter.number, adapter.adapter_id)
    needs = {need["code"]: need for need in said["needs"]}
    assert needs["asking-advice"]["state"] == "not answered"
    assert [code["id"] for code in needs["asking-advice"]["would_answer"]] == ["offering-advice"]
    asked = next(each for each in said["findings"] if each["code"]["id"] == "asking-advice")
    assert asked["is_there"] and 0.5 < asked["probability"] <= 1
    measured = asked["measured"]
    assert measured["metric"] == "F1" and measured["n"] > 0 and measured["part"] in ("test", "validation")
    for words in asked["evidence"]:
        assert POST[words["start"] : words["end"]] == words["text"]
    answered = call(bench.cast.rosa, post=POST, reply=KIND_REPLY).json()
    assert {need["state"] for need in answered["needs"]} == {"answered"}
    for texts in ({"post": ""}, {"post": "x" * 20_001}, {"post": "x", "reply": "y" * 20_001}, {}):
        assert call(bench.cast.rosa, **texts).status_code == 422


def test_a_model_that_gives_the_commonest_answer_is_not_asked_for_more(bench: Bench) -> None:
    bench.put_in_service(bench.majority)
    answer = client_of(bench.cast.rosa).post(HERE, {"post": POST, "reply": KIND_REPLY})
    page = words_of(answer.content)
    assert "What the model cannot tell" in page and "The model cannot tell any theme of the reply." in page
    assert "always giving the commonest answer" in page or "are needed" in page
    assert "% likely" not in page and not main_of(answer.content).xpath("//mark")
    said = call(bench.cast.rosa, post=POST, reply=KIND_REPLY).json()
    assert said["findings"] == [] and said["needs"] == [] and said["improvable"] == []
    assert set(said["cannot_tell"]) == {code.id for _, code in PRACTICES.coded_questions()}
    assert said["unjudged"] == []


def test_an_override_is_named_beside_what_the_model_says(bench: Bench) -> None:
    bench.put_in_service(bench.practices)
    page = words_of(client_of(bench.cast.amal).post(HERE, {"post": POST, "reply": REPLY}).content)
    assert "put in service by hand, against the study's promotion rule. Reason given: “Tests”." in page
    assert "Reason given: “Tests”" in call(bench.cast.rosa, post=POST).json()["promotion"]


@pytest.mark.parametrize(
    ("reply", "said"),
    (
        ("Thanks", "About the reply: It has 1 word, and nearly all"),
        ("<p>Hugs!</p>", "About the reply: It has markup such as <p>"),
        (
            "Das ist nicht schlimm, und du bist damit nicht allein. Ich würde mit ihm reden, wenn es geht.",
            "About the reply: It looks like German, and the model learned from no text in that language.",
        ),
    ),
)
def test_a_text_unlike_those_it_learned_from_is_noticed(bench: Bench, reply: str, said: str) -> None:
    bench.put_in_service(bench.replies)
    page = words_of(client_of(bench.cast.rosa).post(HERE, {"post": POST, "reply": reply}).content)
    assert "This text is unlike what the model learned from" in page and said in page
    usual = words_of(client_of(bench.cast.rosa).post(HERE, {"post": POST, "reply": KIND_REPLY}).content)
    assert "unlike what the model learned from" not in usual
    called = call(bench.cast.rosa, post=POST, reply=KIND_REPLY).json()
    assert called["unlike_training"] == called["likeness_unknown"] == []
    assert "It is not known whether" not in usual


def test_where_the_model_learned_from_too_few_texts_it_is_said_that_none_can_be_held_against_them(
    bench: Bench, tmp_path: Path
) -> None:
    bench.put_in_service(learn(tmp_path / "few", PRACTICES, "majority", {}, 24))
    page = words_of(client_of(bench.cast.rosa).post(HERE, {"post": POST, "reply": "Thanks"}).content)
    assert "It is not known whether this text is like those the model learned from" in page
    assert "About the reply: the model learned from too few texts to say, fewer than 20." in page
    assert "This text is unlike" not in page
    said = call(bench.cast.rosa, post=POST).json()
    assert said["unlike_training"] == []
    assert said["likeness_unknown"] == [
        "About the post: the model learned from too few texts to say, fewer than 20."
    ]


def test_annotators_may_ask_but_not_about_what_they_judge(bench: Bench) -> None:
    bench.put_in_service(bench.practices)
    (item,) = made_items(bench.cast.study, 1)
    assert client_of(bench.cast.otto).get(HERE).status_code == 404
    assert call(bench.cast.otto, post=POST).status_code == 404
    amal = client_of(bench.cast.amal)
    assert "Texts that the study itself judges are refused." in words_of(amal.get(HERE).content)
    assert amal.post(HERE, {"post": POST, "reply": REPLY}).status_code == 200
    same_post = {"post": f"  {item.post_text.upper()}\r\n", "reply": REPLY}
    same_reply = {"post": "Another one.", "reply": item.reply_text}
    for texts in (same_post, same_reply):
        refused = amal.post(HERE, texts)
        assert refused.status_code == 422
        assert "one of the study's own" in words_of(refused.content)
    assert call(bench.cast.amal, **same_reply).json()["error"] == "BelongsToStudy"
    assert client_of(bench.cast.rosa).post(HERE, same_post).status_code == 200


def test_without_a_model_the_page_says_what_is_missing(cast: Cast) -> None:
    page = words_of(client_of(cast.amal).get(HERE).content)
    assert "No model is in service" in page and "See the models" not in page
    assert "See the models" in words_of(client_of(cast.rosa).get(HERE).content)
    refused = call(cast.rosa, post=POST)
    assert (refused.status_code, refused.json()["error"]) == (422, "NoModel")


def test_a_server_that_is_away_slow_or_refuses_is_told_in_words(bench: Bench, settings: Settings) -> None:
    bench.put_in_service(bench.practices)
    rosa, texts = client_of(bench.cast.rosa), {"post": POST, "reply": REPLY}

    def problem() -> str:
        answer = rosa.post(HERE, texts)
        assert answer.status_code == 422
        page = words_of(answer.content)
        # What was pasted is not lost with the answer.
        assert HOPEFUL in page
        return page

    settings.ML_SERVER_PATIENCE = timedelta(microseconds=1)
    assert any(said in problem() for said in ("took longer than 1e-06 s", "does not answer"))
    settings.ML_SERVER_PATIENCE = timedelta(seconds=30)
    right, settings.ML_SERVER_PASSWORD = settings.ML_SERVER_PASSWORD, "another-password"
    assert "The name or the password is wrong." in problem()
    settings.ML_SERVER_PASSWORD = ""
    assert "ATTUNE_ML_SERVER_PASSWORD" in problem()
    settings.ML_SERVER_PASSWORD, settings.ML_SERVER_URL = right, f"http://127.0.0.1:{free_port()}"
    assert "see that the process ml-server runs" in problem()


def test_texts_are_neither_kept_nor_logged(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    bench.put_in_service(bench.practices)
    rosa = client_of(bench.cast.rosa)
    before = _rows()
    secret = f"Our cellar floods. {POST}"
    answer = rosa.post(HERE, {"post": secret, "reply": REPLY})
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    after = _rows()
    assert after == before
    assert call(bench.cast.rosa, post=secret, reply=REPLY).status_code == 200
    for kept in (caplog.text, bench.log.read_text(), *(str(rows) for rows in _rows().values())):
        assert "cellar" not in kept


def _rows() -> dict[str, list[Any]]:
    found = {}
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            found[name] = [str(row) for row in cursor.fetchall()]
    return found


def test_what_was_measured_on_the_validation_part_is_not_called_unseen() -> None:
    unseen = Measured(SplitPart.TEST, "F1", 0.7, None, None, 30, "")
    assert unseen.where == "items it had not learned from"
    assert "thresholds were chosen" in replace(unseen, part=SplitPart.VALIDATION).where
