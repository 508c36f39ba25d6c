"""The server starts only with what it needs, and says what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from ml_backend.server.environment import ServerMisconfigured, read_environment

SOUND = {"ML_ADAPTERS_DIR": "/data/adapters", "ML_SERVER_PASSWORD": "a-password-of-some-length"}


def test_what_is_not_given_has_a_default() -> None:
    read = read_environment(SOUND)
    assert (read.adapters, read.user, read.threads) == (Path("/data/adapters"), "attune", 1)


@pytest.mark.parametrize("wrong", [{"ML_ADAPTERS_DIR": ""}, {"ML_SERVER_PASSWORD": "short"}])
def test_what_is_missing_is_named_and_no_secret_shown(wrong: dict[str, str]) -> None:
    with pytest.raises(ServerMisconfigured, match=next(iter(wrong))) as refused:
        read_environment({**SOUND, **wrong})
    assert "short" not in str(refused.value).replace("too short", "")
    assert SOUND["ML_SERVER_PASSWORD"] not in repr(read_environment(SOUND))


@pytest.mark.parametrize("threads", ["0", "65", "two", "-1"])
def test_threads_are_a_small_number(threads: str) -> None:
    with pytest.raises(ServerMisconfigured, match="ML_SERVER_THREADS"):
        read_environment({**SOUND, "ML_SERVER_THREADS": threads})
