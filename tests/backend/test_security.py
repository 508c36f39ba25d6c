"""What the browser is told, and how log-in defends itself."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import global_settings, settings
from django.contrib.auth.hashers import check_password, make_password
from django.test import Client, override_settings

from backend import settings as written
from tests.cast import Cast
from tests.page_text import page_text

ROOT = Path(__file__).resolve().parents[2]


def test_every_page_carries_a_policy_without_unsafe_parts(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.rosa)
    for address in ("/", "/studies/kind-words", "/api/v1/docs", "/log-in", "/nothing-here"):
        policy = client.get(address).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        # The one other place: the button that takes annotators to Label Studio
        assert "http" not in policy.replace(f"form-action 'self' {settings.LABEL_STUDIO_URL}", "")


def test_log_in_closes_after_five_wrong_passwords(cast: Cast) -> None:
    cast.rosa.set_password("correct-horse-battery")
    cast.rosa.save()
    client = Client()
    answers = [
        client.post("/log-in", {"username": "rosa", "password": f"guess {number}"}).status_code
        for number in range(settings.AXES_FAILURE_LIMIT)
    ]
    assert answers[:-1] == [200] * (settings.AXES_FAILURE_LIMIT - 1)
    assert answers[-1] == 429
    right = client.post("/log-in", {"username": "rosa", "password": "correct-horse-battery"})
    assert right.status_code == 429
    assert "closed for a while" in page_text(right)


def test_the_right_password_opens_and_lands_where_one_works(cast: Cast) -> None:
    for user, place in ((cast.rosa, "/"), (cast.amal, "/studies/kind-words/work")):
        user.set_password("correct-horse-battery")
        user.save()
        client = Client()
        answer = client.post("/log-in", {"username": user.username, "password": "correct-horse-battery"})
        assert "httponly" in str(answer.cookies["attune_session"]).lower()
        assert client.get(answer.headers["Location"]).headers["Location"] == place


def test_an_instance_hashes_passwords_many_times_over_and_tests_only_once() -> None:
    """Django's own way, which our settings leave alone; what is hashed in tests is known to an instance too."""
    assert not hasattr(written, "PASSWORD_HASHERS")
    quick = make_password("correct-horse-battery")
    with override_settings(PASSWORD_HASHERS=global_settings.PASSWORD_HASHERS):
        algorithm, iterations, *_ = make_password("correct-horse-battery").split("$")
        assert (algorithm, int(iterations) >= 600_000) == ("pbkdf2_sha256", True)
        assert check_password("correct-horse-battery", quick)
        assert not check_password("another", quick)


def test_a_form_without_its_token_is_refused(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.rosa)
    assert client.post("/studies/new", {"name": "Forged"}).status_code == 403


def test_the_readme_shows_both_commands_and_links_only_to_what_exists() -> None:
    readme = (ROOT / "README.md").read_text()
    assert "make run" in readme
    assert "make test" in readme
    targets = re.findall(r"\]\(([^)#]+)\)", readme)
    assert targets
    own = [target for target in targets if not target.startswith("https://")]
    assert [target for target in own if not (ROOT / target).exists()] == []
