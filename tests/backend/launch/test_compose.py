"""docker-compose.yml fits the settings it feeds: names exist, secrets are asked for, nobody is root."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit

import yaml

from backend.label_studio.process import LabelStudioInstance, process_environment
from ml_backend.server.environment import ADAPTERS, PASSWORD, read_environment

ROOT = Path(__file__).resolve().parents[3]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
REFERENCE = re.compile(r"\$\{(\w+):[?-][^}]*\}")
OURS = {"web", "worker", "mirror", "ml-worker", "beat"}


def _example() -> dict[str, str]:
    lines = (ROOT / ".env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_the_services_are_those_of_make_run_with_their_servers_and_a_front() -> None:
    assert set(SERVICES) == {*OURS, "ml-server", "front", "label-studio", "postgres", "redis"}
    assert all("healthcheck" in service for service in SERVICES.values())


def test_the_example_lists_exactly_what_is_asked_for() -> None:
    asked_for = set(REFERENCE.findall((ROOT / "docker-compose.yml").read_text()))
    assert set(_example()) == asked_for


def _secrets() -> set[str]:
    """By the ending of their names, as docs/deploying.md says which lines to fill in."""
    return {name for name in _example() if name.endswith(("_KEY", "_TOKEN", "_PASSWORD"))}


def test_no_secret_has_a_default() -> None:
    assert len(_secrets()) == 7
    assert {name for name, value in _example().items() if not value} == {*_secrets(), "FRONT_TLS"}


def test_an_example_filled_in_as_the_docs_say_makes_settings_that_load(tmp_path: Path) -> None:
    filled = {
        **_example(),
        **{name: token_hex(20 if name == "ATTUNE_LABEL_STUDIO_TOKEN" else 32) for name in _secrets()},
    }
    variables = {
        name: REFERENCE.sub(lambda found: filled[found.group(1)], value)
        for name, value in SERVICES["web"]["environment"].items()
    }
    command = [
        sys.executable,
        "-c",
        "from backend import settings; print(settings.MODE, settings.PUBLIC_URL)",
    ]
    environment = {"PATH": os.environ["PATH"], **variables, "ATTUNE_DATA_DIR": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "production https://attune.example.org\n", done.stderr


def test_label_studio_is_told_what_the_launcher_tells_it() -> None:
    instance = LabelStudioInstance(Path("/v"), Path("/d"), 1, "http://127.0.0.1:1", "password", "token")
    expected = {name for name in process_environment(instance, {}) if name.startswith("LABEL_STUDIO_")}
    in_image = set(re.findall(r"\b(LABEL_STUDIO_\w+)=", DOCKERFILE))
    assert expected <= in_image | set(SERVICES["label-studio"]["environment"])


def test_the_ml_worker_has_the_data_and_no_secret() -> None:
    service = SERVICES["ml-worker"]
    assert set(service["environment"]) == {"BROKER_URL", "ML_READY_SIGN"}
    assert service["environment"]["BROKER_URL"] == SERVICES["worker"]["environment"]["BROKER_URL"]
    assert set(service["volumes"]) < set(SERVICES["worker"]["volumes"])
    assert service["environment"]["ML_READY_SIGN"] in service["healthcheck"]["test"][1]
    assert "COPY ml_backend ml_backend" in DOCKERFILE


def test_the_ml_server_knows_where_the_adapters_are_and_one_password() -> None:
    service = SERVICES["ml-server"]
    filled = {**service["environment"], PASSWORD: "p" * 16}
    assert set(filled) == {ADAPTERS, PASSWORD}
    assert read_environment(filled).adapters == Path("/data/adapters")
    assert service["volumes"] == ["data:/data:ro"]
    # Of the others the web process alone asks it.
    asking = {
        name
        for name, other in SERVICES.items()
        if "ATTUNE_ML_SERVER_PASSWORD" in other.get("environment", {})
    }
    assert asking == {"web"}
    told = SERVICES["web"]["environment"]
    assert told["ATTUNE_ML_SERVER_PASSWORD"] == service["environment"][PASSWORD]
    assert told["ATTUNE_ML_SERVER_URL"] == "http://ml-server:9090"


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
    mounted = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())}
    assert {name for name in mounted if not name.startswith(".")} == set(COMPOSE["volumes"])
    assert all("/data/run" in SERVICES[name]["tmpfs"] for name in OURS)


def test_one_proxy_is_trusted_because_one_stands_in_front() -> None:
    assert SERVICES["web"]["environment"]["ATTUNE_TRUSTED_PROXIES"] == "1"


def test_label_studio_answers_under_the_name_by_which_attune_asks() -> None:
    inside = SERVICES["web"]["environment"]["ATTUNE_LABEL_STUDIO_INSIDE_URL"]
    assert urlsplit(inside).hostname in _example()["LABEL_STUDIO_ALLOWED_HOSTS"].split(",")


def test_the_front_is_given_what_its_configuration_reads() -> None:
    read = set(re.findall(r"\{\$(\w+)\}", (ROOT / "Caddyfile").read_text()))
    assert read == set(SERVICES["front"]["environment"])


def test_backups_are_made_by_the_server_s_own_version() -> None:
    version = SERVICES["postgres"]["image"].removeprefix("postgres:")
    assert f"postgresql-client-{version}" in DOCKERFILE


def test_images_are_named_without_a_host() -> None:
    images = [service["image"] for service in SERVICES.values()]
    assert not [image for image in images if "/" in image]
