"""Label Studio gets exactly the environment it needs, and no secret on its command line."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from runpy import run_path

from backend.annotate.label_studio.process import (
    OVERLAY,
    OWNER,
    LabelStudioInstance,
    command_line,
    process_environment,
)

INSTANCE = LabelStudioInstance(
    venv=Path("/venv"),
    data_dir=Path("/data/label-studio"),
    port=18202,
    public_url="https://label.example.org",
    password="the-password",
    token="the-token",
)


def test_the_command_line_binds_loopback_and_holds_no_secret() -> None:
    command = command_line(INSTANCE)
    assert command[command.index("--host") + 1] == "127.0.0.1"
    assert command[command.index("--port") + 1] == "18202"
    assert not {"the-password", "the-token"} & set(command)


def test_the_owner_and_the_secrets_go_by_the_environment() -> None:
    environment = process_environment(INSTANCE, {})
    assert environment["LABEL_STUDIO_USERNAME"] == OWNER
    assert environment["LABEL_STUDIO_PASSWORD"] == "the-password"
    assert environment["LABEL_STUDIO_USER_TOKEN"] == "the-token"


def test_variables_it_would_misread_do_not_pass() -> None:
    outside = {"PATH": "/usr/bin", "HOST": "x", "DEBUG": "true", "PASSWORD": "p", "DATABASE_URL": "sqlite://"}
    environment = process_environment(INSTANCE, outside)
    assert environment["PATH"] == "/usr/bin"
    assert not (set(outside) - {"PATH"}) & set(environment)


def test_everything_it_writes_stays_in_its_data_directory() -> None:
    environment = process_environment(INSTANCE, {"HOME": "/home/somebody"})
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "LABEL_STUDIO_BASE_DATA_DIR"):
        assert Path(environment[name]).is_relative_to(INSTANCE.data_dir)


def test_ids_are_read_as_plain_numbers_only() -> None:
    as_id = run_path(str(OVERLAY / "attune_access" / "identifiers.py"))["as_id"]
    assert [as_id(value) for value in (7, "7", 0, "0")] == [7, 7, 0, 0]
    odd = (
        True,
        None,
        -1,
        7.0,
        "",
        "+7",
        "-7",
        " 7",
        "7 ",
        "7_0",
        "0x7",
        "\u0667",
        "\u00b2",
        [7],
        {"pk": 7},
        "9" * 30,
    )
    assert [as_id(value) for value in odd] == [None] * len(odd)


def test_only_loopback_is_opened_among_the_networks_it_may_not_call() -> None:
    banned = run_path(str(OVERLAY / "attune_access" / "networks.py"))["BANNED_SUBNETS"]
    networks = [ipaddress.ip_network(subnet) for subnet in banned]

    def is_banned(address: str) -> bool:
        return any(ipaddress.ip_address(address) in network for network in networks)

    assert not is_banned("127.0.0.1")
    assert not is_banned("::1")
    private = ("10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "255.255.255.255")
    assert all(is_banned(address) for address in (*private, "fd00::1", "fe80::1", "::ffff:10.0.0.1", "::"))
    assert not is_banned("93.184.216.34")
