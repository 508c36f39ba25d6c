"""Where the messages come from, by the environment alone: nothing here names whoever sends them."""

from __future__ import annotations

from collections.abc import Mapping

BROKER_URL = "BROKER_URL"
# A broker that Celery does not know by its address: where its code is and the folder it keeps messages in
BROKER_TRANSPORT, BROKER_FOLDER = "ML_BROKER_TRANSPORT", "ML_BROKER_FOLDER"
# Whoever waits for a result asks again, so a message that was lost with its worker need not come back soon.
VISIBILITY_SECONDS = 12 * 3600


class BrokerMissing(Exception):
    """Without a broker there is nobody to work for."""

    def __init__(self) -> None:
        super().__init__(
            f"{BROKER_URL} is missing: give redis://…, or {BROKER_TRANSPORT} and {BROKER_FOLDER} for a broker "
            "without a server. `make run` does the latter."
        )


def broker_configuration(environment: Mapping[str, str]) -> dict[str, object]:
    transport = environment.get(BROKER_TRANSPORT, "")
    if transport and environment.get(BROKER_FOLDER):
        options: dict[str, object] = {"folder": environment[BROKER_FOLDER]}
        return {
            "broker_url": "filesystem://",
            "broker_transport": transport,
            "broker_transport_options": options,
        }
    if not environment.get(BROKER_URL, "").startswith(("redis://", "rediss://")):
        raise BrokerMissing
    patience = {"socket_connect_timeout": 2, "socket_timeout": 30, "max_retries": 1, "interval_start": 0}
    return {
        "broker_url": environment[BROKER_URL],
        "broker_transport_options": {"visibility_timeout": VISIBILITY_SECONDS, **patience},
    }
