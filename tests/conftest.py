"""What all tests share: a database on disk, real servers on request, and the `database` mark."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.db import connection

from backend.adjudication.memory import forget
from tests.servers import postgres_server, redis_server

# Times are noisy on a shared machine, so no example is failed for being slow; `make check` looks at fewer
hypothesis.settings.register_profile("whole", deadline=None)
hypothesis.settings.register_profile("quick", deadline=None, max_examples=10)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "whole"))

pytest_plugins = [
    "tests.cast",
    "tests.demo_corpus",
    "tests.given_work",
    "tests.chromium",
    "tests.integration.label_studio_server",
]
DATABASE_FIXTURES = frozenset({"db", "transactional_db", "django_db_setup", "live_server"})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever uses the database runs a second time on PostgreSQL, and whatever uses the browser with the servers."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "chromium" in fixtures:
            item.add_marker(pytest.mark.browser)
        if item.get_closest_marker("django_db") or not DATABASE_FIXTURES.isdisjoint(fixtures):
            item.add_marker(pytest.mark.database)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """SQLite on disk and not in memory: threads and workers then meet the locks of a real instance."""
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(Path(settings.DATA_DIR) / "test.sqlite3")


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """Every test begins with another database under the same process, in which numbers are given out again."""
    forget()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with postgres_server() as url:
        yield url


@pytest.fixture(scope="session")
def broker_url(request: pytest.FixtureRequest) -> str:
    """For an instance of the test's own: of the kind this run is on, the embedded one or Redis."""
    if settings.BROKER_URL.startswith("filesystem:"):
        return str(settings.BROKER_URL)
    return str(request.getfixturevalue("redis_url"))


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    with redis_server() as url:
        yield url
