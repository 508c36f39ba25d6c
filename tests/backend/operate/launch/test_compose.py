"""docker-compose.yml fits the settings it feeds: names exist, secrets are asked for, nobody is root."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import yaml
from django.conf import settings

from backend.annotate.label_studio.process import LabelStudioInstance, process_environment
from backend.operate.launch.processes import ml_server
from ml_backend.pools.choice import POOL, PROCESSES, cluster_pool
from ml_backend.pools.choice import THREADS as LABEL_THREADS
from ml_backend.pools.ray import RayPool, require_token
from ml_backend.server.application import MOST_JUDGED
from ml_backend.server.environment import ADAPTERS, PASSWORD, THREADS, read_environment

ROOT = Path(__file__).resolve().parents[4]
FILES = ("docker-compose.yml", "compose.machines.yml", "compose.ml-worker.yml", "compose.ray.yml")
COMPOSE, MACHINES, ML_WORKER, RAY = (yaml.safe_load((ROOT / name).read_text()) for name in FILES)
SERVICES = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
# The innermost one: a default may hold another
LINES_OF_RAY = {
    "ML_RAY_ADDRESS": "10.0.0.1:6380",
    "PRIVATE_ADDRESS": "10.0.0.1",
    "ML_LABEL_THREADS": "4",
    "ML_LABEL_GPUS_EACH": "1",
}
REFERENCE = re.compile(r"\$\{(\w+)(?::([?-])([^${}]*))?\}")
OURS = {"web", "worker", "sync", "ml-worker", "beat"}
DJANGO = OURS - {"ml-worker"}
# The containers' own, or one process's alone
LABELLING = {POOL, PROCESSES, LABEL_THREADS}
FIXED = {"ATTUNE_MODE", "ATTUNE_DATA_DIR"}
NOT_IN_PRODUCTION = {
    "ATTUNE_WEB_PORT",
    "ATTUNE_LABEL_STUDIO_PORT",
    "ATTUNE_ML_SERVER_PORT",
    "ATTUNE_DEMO",
    "ATTUNE_DOCS_DIR",
}
OF_WEB = {"ATTUNE_ML_SERVER_URL", "ATTUNE_ML_SERVER_PASSWORD", "ATTUNE_ML_SERVER_PATIENCE_SECONDS"}


def _example() -> dict[str, str]:
    lines = (ROOT / ".env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def _secrets() -> set[str]:
    """By the ending of their names, as docs/deploying.md says which lines to fill in."""
    return {name for name in _example() if name.endswith(("_KEY", "_TOKEN", "_PASSWORD"))}


def _filled(given: dict[str, str] | None = None) -> dict[str, str]:
    """.env with its secrets, and nothing that may stay empty but what is given."""
    made = {name: "a1" * (20 if name.endswith("_TOKEN") else 25) for name in _secrets()}
    return _example() | made | (given or {})


def _said(text: str, variables: dict[str, str]) -> str:
    """As docker compose reads it."""

    def value(found: re.Match[str]) -> str:
        name, kind, default = found.groups()
        assert variables[name] or kind != "?", name
        return variables[name] or default or ""

    while "${" in text:
        text = REFERENCE.sub(value, text)
    return text


def _environment(service: str, variables: dict[str, str]) -> dict[str, str]:
    return {name: _said(value, variables) for name, value in SERVICES[service]["environment"].items()}


def test_the_services_are_those_of_make_run_with_their_servers_and_a_front() -> None:
    assert set(SERVICES) == {*OURS, "ml-server", "front", "label-studio", "postgres", "redis"}
    assert all("healthcheck" in service for service in SERVICES.values())


def test_the_example_lists_exactly_what_is_asked_for() -> None:
    asked_for = {name for file in FILES for name in re.findall(r"\$\{(\w+)[:}]", (ROOT / file).read_text())}
    assert set(_example()) == asked_for


def test_no_secret_has_a_default() -> None:
    assert len(_secrets()) == 9
    assert {_example()[name] for name in _secrets()} == {""}


def test_every_setting_of_production_reaches_the_processes_that_read_it() -> None:
    wanted = settings.SETTING_NAMES - NOT_IN_PRODUCTION - OF_WEB
    for name in DJANGO:
        told = SERVICES[name]["environment"]
        assert set(told) == wanted | (OF_WEB if name == "web" else set())
        literal = {setting for setting, value in told.items() if not value.startswith("${")}
        assert literal == FIXED


def test_what_may_stay_empty_is_the_default_of_the_settings(tmp_path: Path) -> None:
    assert _printed("TIME_ZONE, settings.UPLOAD_MAX_BYTES, settings.SHARD_TEXTS", {}, tmp_path) == (
        f"UTC {512 * 1024 * 1024} 512"
    )
    given = {"ATTUNE_TIME_ZONE": "Europe/London", "ATTUNE_UPLOAD_MAX_MB": "3", "ATTUNE_SHARD_TEXTS": "64"}
    assert _printed("TIME_ZONE, settings.UPLOAD_MAX_BYTES, settings.SHARD_TEXTS", given, tmp_path) == (
        f"Europe/London {3 * 1024 * 1024} 64"
    )


def test_a_filled_in_example_makes_settings_that_load(tmp_path: Path) -> None:
    assert _printed("MODE, settings.PUBLIC_URL", {}, tmp_path) == "production https://attune.example.org"
    made = _environment("web", _filled())
    assert made["DATABASE_URL"] == f"postgres://attune:{'a1' * 25}@postgres:5432/attune"
    assert made["BROKER_URL"] == "redis://redis:6379/0"


def _printed(what: str, given: dict[str, str], data: Path) -> str:
    environment = {**_environment("web", _filled(given)), "ATTUNE_DATA_DIR": str(data)}
    command = [sys.executable, "-c", f"from backend import settings; print(settings.{what})"]
    own = {"PATH": os.environ["PATH"], **environment}
    done = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_lines_of_the_docs_lead_workers_of_other_machines_to_the_first() -> None:
    docs = (ROOT / "docs/deploying.md").read_text()
    section = docs.partition("## Several workers")[2].partition("\n## ")[0]
    lines = dict(re.findall(r"^ +([A-Z_]+)=(\S+)$", section, re.MULTILINE))
    assert lines.pop("COMPOSE_FILE").split(":") == list(FILES[:2])
    told = _environment("worker", _filled(lines))
    for name in ("DATABASE_URL", "BROKER_URL", "ATTUNE_LABEL_STUDIO_INSIDE_URL"):
        address = urlsplit(told[name])
        assert address.hostname == lines["PRIVATE_ADDRESS"]
        assert f"{address.hostname}:{address.port}:" in str(_published(lines)), name
    for service in (SERVICES["worker"], SERVICES["ml-worker"], ML_WORKER["services"]["ml-worker"]):
        assert _said(service["volumes"][0], lines) == f"{lines['DATA_VOLUME']}:/data"


def _published(lines: dict[str, str]) -> list[str]:
    ports = [port for service in MACHINES["services"].values() for port in service.get("ports", ())]
    return [_said(port, lines) for port in ports]


def test_what_other_machines_may_reach_is_published_on_the_private_address_with_a_password() -> None:
    assert set(MACHINES["services"]) == {"postgres", "redis", "label-studio"}
    assert all(port.startswith("10.0.0.1:") for port in _published({"PRIVATE_ADDRESS": "10.0.0.1"}))
    plain, closed = SERVICES["redis"]["command"], MACHINES["services"]["redis"]["command"]
    assert closed[: len(plain)] == plain
    assert closed[len(plain) :] == [
        "--requirepass",
        MACHINES["services"]["redis"]["environment"]["REDISCLI_AUTH"],
    ]


def test_an_ml_worker_alone_is_the_one_beside_the_others_and_asks_for_no_secret_of_theirs() -> None:
    (alone,), beside = ML_WORKER["services"].values(), SERVICES["ml-worker"]
    assert set(alone) == set(beside) - {"depends_on"}
    for name in set(alone) - {"environment", "volumes"}:
        assert alone[name] == beside[name], name
    assert set(alone["environment"]) == set(beside["environment"])
    asked_for = {name for name, _, _ in REFERENCE.findall((ROOT / FILES[2]).read_text())}
    assert asked_for == {"BROKER_URL", "DATA_VOLUME", *LABELLING}


def test_each_machine_of_a_ray_cluster_is_told_the_token_and_no_secret_of_the_others() -> None:
    head, worker = RAY["services"]["ray-head"], RAY["services"]["ray-worker"]
    assert (head["profiles"], worker["profiles"]) == (["ray-head"], ["ray-worker"])
    for service in (head, worker):
        assert service["read_only"] and service["cap_drop"] == ["ALL"]
        assert service["build"]["args"]["REQUIREMENTS"] == "requirements/cluster.txt"
        assert service["environment"]["RAY_AUTH_MODE"] == "token"
    assert "ARG REQUIREMENTS=requirements/app.txt" in DOCKERFILE
    told = {name: _said(value, _filled(LINES_OF_RAY)) for name, value in head["environment"].items()}
    assert cluster_pool(told) == RayPool("10.0.0.1:6380", threads=4, gpus=1)
    require_token(told, Path("/nowhere"))
    asked_for = {name for name in _example() if f"${{{name}:" in (ROOT / FILES[3]).read_text()}
    assert asked_for & _secrets() == {"RAY_AUTH_TOKEN"}


def test_ray_knows_every_option_that_it_is_started_with() -> None:
    from ray.scripts.scripts import start

    known = {option for parameter in start.params for option in parameter.opts}
    commands = [" ".join(RAY["services"][name]["command"]) for name in ("ray-head", "ray-worker")]
    asked = {option for command in commands for option in re.findall(r"--[a-z-]+", command.split("&&")[0])}
    assert {"--head", "--address", "--max-worker-port"} <= asked <= known


def test_label_studio_is_told_what_the_launcher_tells_it() -> None:
    instance = LabelStudioInstance(Path("/v"), Path("/d"), 1, "http://127.0.0.1:1", "password", "token")
    expected = {name for name in process_environment(instance, {}) if name.startswith("LABEL_STUDIO_")}
    in_image = set(re.findall(r"\b(LABEL_STUDIO_\w+)=", DOCKERFILE))
    assert expected <= in_image | set(SERVICES["label-studio"]["environment"])


def test_the_ml_worker_has_the_data_and_no_secret() -> None:
    service = SERVICES["ml-worker"]
    assert set(service["environment"]) == {"BROKER_URL", "ML_READY_SIGN", *LABELLING}
    assert service["environment"]["BROKER_URL"] == SERVICES["worker"]["environment"]["BROKER_URL"]
    assert set(service["volumes"]) < set(SERVICES["worker"]["volumes"])
    assert service["environment"]["ML_READY_SIGN"] in service["healthcheck"]["test"][1]
    assert "COPY ml_backend ml_backend" in DOCKERFILE


def test_the_ml_server_knows_where_the_adapters_are_and_one_password() -> None:
    service = SERVICES["ml-server"]
    told = _environment("ml-server", _filled())
    assert set(told) == {ADAPTERS, PASSWORD, THREADS}
    assert (read_environment(told).adapters, read_environment(told).threads) == (Path("/data/adapters"), 1)
    assert read_environment(_environment("ml-server", _filled({THREADS: "3"}))).threads == 3
    assert [_said(volume, _filled()) for volume in service["volumes"]] == ["data:/data:ro"]
    # Of the others the web process alone asks it.
    asking = {
        name
        for name, other in SERVICES.items()
        if "ATTUNE_ML_SERVER_PASSWORD" in other.get("environment", {})
    }
    assert asking == {"web"}
    asked = _environment("web", _filled())
    assert asked["ATTUNE_ML_SERVER_PASSWORD"] == told[PASSWORD]
    assert asked["ATTUNE_ML_SERVER_URL"] == "http://ml-server:9090"


def test_the_ml_server_has_a_thread_more_than_texts_are_judged_at_once() -> None:
    composed, launched = SERVICES["ml-server"]["command"], ml_server(9090, "password", {}).command
    assert f"--threads={MOST_JUDGED + 1}" in composed
    assert f"--threads {MOST_JUDGED + 1}" in " ".join(launched)


def test_nobody_is_root_and_nothing_but_the_front_is_published() -> None:
    stages = re.split(r"\nFROM \S+ AS ", DOCKERFILE)[2:]
    assert [stage.split("\n")[0] for stage in stages] == ["app", "label-studio", "front"]
    assert all("\nUSER attune\n" in stage for stage in stages)
    assert all("user" in SERVICES[name] for name in ("postgres", "redis"))
    ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert ports == {"front": ["80:8080", "443:8443"]}


def test_no_service_writes_outside_its_volumes_or_gains_rights() -> None:
    for service in SERVICES.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_every_volume_is_declared_and_every_sign_of_life_is_the_container_s_own() -> None:
    mounted = {
        _said(volume, _filled()).split(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", ())
    }
    assert {name for name in mounted if not name.startswith(".")} == set(COMPOSE["volumes"])
    assert all(any(each.startswith("/data/run:") for each in SERVICES[name]["tmpfs"]) for name in OURS)


def test_what_is_in_memory_belongs_to_the_user_that_the_images_run_as() -> None:
    """But for folders that everybody may write to in their image."""
    (user,) = set(re.findall(r"(?:--uid|-u) (\d+) attune", DOCKERFILE))
    services = [service for file in (COMPOSE, ML_WORKER, RAY) for service in file["services"].values()]
    mounts = {each for service in services for each in service.get("tmpfs", ())}
    assert mounts - {"/tmp", "/var/run/postgresql"} == {
        f"{folder}:uid={user},gid={user}" for folder in ("/data/run", "/config")
    }


def test_one_proxy_is_trusted_because_one_stands_in_front() -> None:
    assert _environment("web", _filled())["ATTUNE_TRUSTED_PROXIES"] == "1"


def test_label_studio_answers_under_the_name_by_which_attune_asks() -> None:
    inside = _environment("web", _filled())["ATTUNE_LABEL_STUDIO_INSIDE_URL"]
    assert urlsplit(inside).hostname in _example()["LABEL_STUDIO_ALLOWED_HOSTS"].split(",")


def test_the_front_is_given_what_its_configuration_reads() -> None:
    read = set(re.findall(r"\{\$(\w+)\}", (ROOT / "Caddyfile").read_text()))
    assert read == set(SERVICES["front"]["environment"])


def test_a_key_of_one_s_own_is_given_to_the_user_that_the_front_runs_as() -> None:
    (user,) = re.findall(r"adduser -D -u (\d+)", DOCKERFILE)
    docs = (ROOT / "docs/deploying.md").read_text()
    assert f"chown {user} certificates/site.key && chmod 400 certificates/site.key" in docs
    assert "./certificates:/certificates:ro" in SERVICES["front"]["volumes"]
    assert "/certificates/" in (ROOT / ".gitignore").read_text().splitlines()


def test_backups_are_made_by_the_server_s_own_version() -> None:
    version = SERVICES["postgres"]["image"].removeprefix("postgres:")
    assert f"postgresql-client-{version}" in DOCKERFILE


def test_images_are_named_without_a_host() -> None:
    images = [service["image"] for service in SERVICES.values()]
    assert not [image for image in images if "/" in image]
