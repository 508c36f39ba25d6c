"""What all tests share: a database on disk, real servers on request, and the `database` mark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase, override_settings
from pytest_django import DjangoDbBlocker

from backend.decide.adjudication.memory import forget
from tests.database_template import copied_database, empty_tables
from tests.examples import load_profile
from tests.quick_passwords import QuickPasswordHasher
from tests.servers import postgres_server, redis_server

load_profile()

pytest_plugins = [
    "tests.cast",
    "tests.demo_corpus",
    "tests.batch_fixtures",
    "tests.chromium",
    "tests.docs_site",
    "tests.integration.label_studio_server",
]
DATABASE_FIXTURES = frozenset({"db", "transactional_db", "django_db_setup", "live_server"})
# The steps with servers look for their tests nowhere else
FOLDERS_WITH_SERVERS = re.compile(r"tests/(integration|browser)/")
NEEDS_SERVERS = ("browser", "label_studio", "broker", "production")
# What only shows what the layers below have fetched
SHOWN = re.compile(
    r"tests/backend/(core/web/|.*/views/"
    r"|.*test_(\w+_)?(access|api|calls|commands?|forms?|pages?|views?|words)\.py)"
)
# Trainings, figures, demos and random walks: long, and by queries that other files have run on both databases
LONG_ON_ONE = re.compile(
    r"tests/(backend/(operate/demo|learn/error_analysis|publish/feedback)/|backend/learn/models/test_(doubting|examining|training)\.py"
    r"|backend/(annotate/sync/test_sync_machine|publish/reports/test_services|learn/retraining/test_job_handlers)\.py"
    r"|integration/test_simulated_study\.py)"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What uses the browser runs with the servers; what depends on the database runs on SQLite and on PostgreSQL.

    That is everything that uses it (models, services, selectors, jobs, claims, constraints, triggers), except what
    only shows it, and a few long files.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "chromium" in fixtures:
            item.add_marker(pytest.mark.browser)
        if not FOLDERS_WITH_SERVERS.match(item.nodeid) and any(map(item.get_closest_marker, NEEDS_SERVERS)):
            raise pytest.UsageError(
                f"{item.nodeid} needs servers: move it to tests/integration or tests/browser."
            )
        if item.get_closest_marker("django_db") or not DATABASE_FIXTURES.isdisjoint(fixtures):
            item.add_marker(pytest.mark.database)
            if not SHOWN.match(item.nodeid) and not LONG_ON_ONE.match(item.nodeid):
                item.add_marker(pytest.mark.both_databases)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """SQLite on disk and not in memory: threads and workers then meet the locks of a real instance."""
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(Path(settings.DATA_DIR) / "test.sqlite3")


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A copy of a migrated database instead of migrations for every process, and a quick end of transactional tests."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: empty_tables())
        with django_db_blocker.unblock():
            stack.enter_context(copied_database())
        yield
        with django_db_blocker.unblock():
            stack.close()


@pytest.fixture(scope="session", autouse=True)
def light_settings(django_test_environment: None) -> Iterator[None]:
    """What costs much for each account and each client, and is not what tests within this process look at.

    Processes that tests start have the settings of a real instance: the tests with a browser and those of the
    front hold that static files are served, `tests/backend/test_security.py` holds how passwords are hashed.
    """
    hasher = f"{QuickPasswordHasher.__module__}.{QuickPasswordHasher.__qualname__}"
    with override_settings(PASSWORD_HASHERS=[hasher], WHITENOISE_USE_FINDERS=False):
        yield


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
