"""What is started: on loopback only, with no secret where `ps` would show it."""

from __future__ import annotations

from pathlib import Path

from pytest_django.fixtures import Settings

from backend.annotate.label_studio.process import LabelStudioInstance
from backend.core.worker.embedded_broker import EMBEDDED_BROKER
from backend.operate.instance.workplace import Workplace
from backend.operate.launch.processes import beat, label_studio, ml, ml_server, sync, web, worker
from ml_backend.broker import broker_configuration
from ml_backend.server.environment import read_environment

ENVIRONMENT = {"PATH": "/usr/bin", "ATTUNE_WEB_PORT": "18201"}


def test_web_listens_on_loopback_and_logs_paths_without_queries() -> None:
    command = web(18201, ENVIRONMENT).command
    assert command[command.index("--bind") + 1] == "127.0.0.1:18201"
    log_format = command[command.index("--access-logformat") + 1]
    assert "%(U)s" in log_format
    assert not {"%(r)s", "%(q)s"} & set(log_format.split())


def test_settings_reach_the_processes_of_ours(tmp_path: Path) -> None:
    workplace = Workplace(tmp_path)
    for spec in (web(18201, ENVIRONMENT), worker(workplace, ENVIRONMENT), beat(workplace, ENVIRONMENT)):
        assert ENVIRONMENT.items() <= spec.environment.items()


def test_a_worker_is_ready_when_it_says_so_itself(tmp_path: Path) -> None:
    workplace = Workplace(tmp_path)
    jobs, reader = worker(workplace, ENVIRONMENT), sync(workplace, ENVIRONMENT)
    workplace.ready_sign("worker").parent.mkdir()
    workplace.ready_sign("worker").touch()
    assert (jobs.is_ready(), reader.is_ready()) == (True, False)
    workplace.ready_sign("sync").touch()
    assert reader.is_ready()


def test_annotators_work_is_read_by_a_worker_of_its_own(tmp_path: Path) -> None:
    queues = [
        spec.command[spec.command.index("--queues") + 1]
        for spec in (worker(Workplace(tmp_path), ENVIRONMENT), sync(Workplace(tmp_path), ENVIRONMENT))
    ]
    assert queues == ["celery", "sync"]


def test_the_ml_backend_is_told_where_the_broker_is(tmp_path: Path, settings: Settings) -> None:
    workplace = Workplace(tmp_path)
    embedded = ml(workplace, ENVIRONMENT)
    assert embedded.environment["ML_BROKER_FOLDER"] == str(settings.BROKER_DIR)
    assert broker_configuration(embedded.environment)["broker_transport"] == EMBEDDED_BROKER
    settings.BROKER_URL = "redis://127.0.0.1:6379/0"
    served = ml(workplace, ENVIRONMENT)
    assert broker_configuration(served.environment)["broker_url"] == settings.BROKER_URL
    workplace.ready_sign("ml").parent.mkdir()
    workplace.ready_sign("ml").touch()
    assert embedded.is_ready()


def test_the_ml_server_is_told_its_password_where_ps_does_not_show_it(settings: Settings) -> None:
    spec = ml_server(18202, "a-long-secret-password", ENVIRONMENT)
    read = read_environment(spec.environment)
    assert (read.adapters, read.password) == (settings.ADAPTERS_DIR, "a-long-secret-password")
    assert not [word for word in spec.command if "a-long-secret" in word]
    assert spec.command[spec.command.index("--bind") + 1] == "127.0.0.1:18202"
    assert not spec.is_ready()


def test_label_studio_is_not_ready_while_nobody_answers(tmp_path: Path) -> None:
    instance = LabelStudioInstance(tmp_path, tmp_path, 1, "http://127.0.0.1:1", "password", "token")
    assert not label_studio(instance, tmp_path / "secrets.json", ENVIRONMENT).is_ready()
