"""The ML backend learns where messages are from its environment and refuses to guess."""

from __future__ import annotations

import pytest

from ml_backend.broker import BrokerMissing, broker_configuration


def test_redis_by_its_address() -> None:
    found = broker_configuration({"BROKER_URL": "redis://127.0.0.1:6379/0"})
    assert found["broker_url"] == "redis://127.0.0.1:6379/0"


def test_a_broker_without_a_server_by_its_code_and_folder() -> None:
    given = {"ML_BROKER_TRANSPORT": "somewhere:Transport", "ML_BROKER_FOLDER": "/tmp/messages"}
    found = broker_configuration({"BROKER_URL": "filesystem://", **given})
    assert found["broker_transport"] == "somewhere:Transport"
    assert found["broker_transport_options"] == {"folder": "/tmp/messages"}


@pytest.mark.parametrize("given", [{}, {"BROKER_URL": "filesystem://"}, {"ML_BROKER_TRANSPORT": "a:B"}])
def test_without_a_broker_it_does_not_start(given: dict[str, str]) -> None:
    with pytest.raises(BrokerMissing, match="BROKER_URL is missing"):
        broker_configuration(given)
