"""The overlay does close the doors, seen from outside a running Label Studio."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import httpx
import psutil  # type: ignore[import-untyped]
import pytest
from label_studio_sdk import LabelStudio
from label_studio_sdk.core.api_error import ApiError

from backend.annotate.label_studio.process import OWNER, LabelStudioInstance
from tests.integration.access_people import enter_as_owner
from tests.integration.access_walk import run_inside
from tests.integration.label_studio_server import RunningLabelStudio, new_instance, run_label_studio
from tests.servers import free_port

pytestmark = pytest.mark.label_studio

CONFIG = '<View><Text name="post" value="$post"/></View>'


@pytest.fixture
def visitor(label_studio: RunningLabelStudio) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=label_studio.url, trust_env=False, timeout=60) as client:
        yield client


def test_the_owners_token_works(label_studio_owner: LabelStudio) -> None:
    assert label_studio_owner.users.whoami().email == OWNER


def test_it_listens_on_loopback_only(label_studio: RunningLabelStudio) -> None:
    master = psutil.Process(label_studio.pid)
    sockets = [each for process in (master, *master.children()) for each in process.net_connections("inet")]
    listening = {connection.laddr for connection in sockets if connection.status == psutil.CONN_LISTEN}
    assert listening == {("127.0.0.1", label_studio.instance.port)}


def test_its_database_is_in_wal(label_studio: RunningLabelStudio) -> None:
    database = label_studio.instance.data_dir / "label_studio.sqlite3"
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_cookies_keep_apart_from_attunes_and_out_of_scripts(
    visitor: httpx.Client, label_studio: RunningLabelStudio
) -> None:
    cookies = enter_as_owner(visitor, label_studio).headers.get_list("set-cookie")
    assert {cookie.split("=")[0] for cookie in cookies} == {"label_studio_session", "label_studio_csrf"}
    assert all("HttpOnly" in cookie and "SameSite=Lax" in cookie for cookie in cookies)


def test_the_content_policy_is_enforced_and_names_no_other_host(visitor: httpx.Client) -> None:
    headers = visitor.get("/user/login/").headers
    policy = headers["content-security-policy"]
    assert "content-security-policy-report-only" not in headers
    assert "default-src 'self'" in policy
    assert "http" not in policy
    script = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "unsafe" not in script


def test_foreign_host_names_and_origins_are_refused(visitor: httpx.Client) -> None:
    assert visitor.get("/user/login/", headers={"Host": "evil.example"}).status_code == 400
    answer = visitor.get("/api/projects/", headers={"Origin": "https://evil.example"})
    assert "access-control-allow-origin" not in answer.headers


def test_of_the_private_networks_it_may_call_loopback_alone(label_studio_owner: LabelStudio) -> None:
    project = label_studio_owner.projects.create(title="webhooks", label_config=CONFIG)
    hook = label_studio_owner.webhooks.create(url="http://127.0.0.1:18299/webhook", project=project.id)
    assert hook.url == "http://127.0.0.1:18299/webhook"
    with pytest.raises(ApiError):
        label_studio_owner.webhooks.create(url="http://169.254.169.254/latest", project=project.id)


def test_everything_stays_in_its_directory_and_its_log_is_quiet(label_studio: RunningLabelStudio) -> None:
    data_dir = label_studio.instance.data_dir
    log = (data_dir / "server.log").read_text()
    assert "latest version" not in log
    assert "GET /health" not in log
    assert label_studio.instance.token not in log
    assert label_studio.instance.password not in log
    assert Path(data_dir / ".env").stat().st_mode & 0o077 == 0


def test_a_refused_import_leaves_no_text_in_the_log(
    label_studio: RunningLabelStudio, label_studio_owner: LabelStudio, visitor: httpx.Client
) -> None:
    project = label_studio_owner.projects.create(title="texts", label_config=CONFIG)
    address, token = f"/api/projects/{project.id}/import", f"Token {label_studio.instance.token}"
    wrong = [{"data": {"other": "a-private-text"}}]
    assert visitor.post(address, json=wrong, headers={"Authorization": token}).status_code == 400
    log = (label_studio.instance.data_dir / "server.log").read_text()
    assert "a-private-text" not in log
    assert f"Bad Request: {address}" in log


def test_a_webhook_that_nobody_takes_is_one_line_in_the_log(
    label_studio: RunningLabelStudio, label_studio_owner: LabelStudio
) -> None:
    project = label_studio_owner.projects.create(title="webhooks", label_config=CONFIG)
    label_studio_owner.webhooks.create(url=f"http://127.0.0.1:{free_port()}/webhook", project=project.id)
    before = len((label_studio.instance.data_dir / "server.log").read_text())
    label_studio_owner.tasks.create(project=project.id, data={"post": "hello"})
    log = (label_studio.instance.data_dir / "server.log").read_text()[before:]
    assert "WARNING root: A webhook did not arrive (ConnectionError)." in log
    assert "Traceback" not in log


@pytest.fixture
def second_instance(label_studio: RunningLabelStudio, tmp_path: Path) -> LabelStudioInstance:
    """On the same data, copied."""
    migrated = label_studio.instance.data_dir / "label_studio.sqlite3"
    with (
        closing(sqlite3.connect(migrated)) as source,
        closing(sqlite3.connect(tmp_path / "label_studio.sqlite3")) as copy,
    ):
        source.backup(copy)
    return new_instance(tmp_path)


def test_a_second_start_takes_new_secrets(second_instance: LabelStudioInstance) -> None:
    old, token = second_instance, "fedcba9876543210fedcba9876543210fedcba98"
    for running in run_label_studio(replace(old, password="battery-horse-correct", token=token)):
        with httpx.Client(base_url=running.url, trust_env=False, timeout=60) as anybody:
            for each, status in ((token, 200), (old.token, 401)):
                header = {"Authorization": f"Token {each}"}
                assert anybody.get("/api/projects/", headers=header).status_code == status
            assert enter_as_owner(anybody, replace(running, instance=old)).status_code == 403
            assert enter_as_owner(anybody, running).status_code == 302
        master = psutil.Process(running.pid)
        workers = master.children()
        master.terminate()
        gone, alive = psutil.wait_procs(workers, timeout=30)
        assert (len(gone), alive) == (2, [])


def test_behind_tls_every_cookie_is_for_tls_alone(label_studio: RunningLabelStudio) -> None:
    behind_tls = replace(label_studio.instance, public_url="https://label.example.org")
    printed = run_inside(behind_tls, Path(__file__).with_name("access_cookies.py"))
    assert printed == {"label_studio_session": True, "label_studio_csrf": True, "attune_way_back": True}
    printed = run_inside(label_studio.instance, Path(__file__).with_name("access_cookies.py"))
    assert set(printed.values()) == {False}
