"""Every call of the API, made as its description allows, in a study that has something of all: none is a fault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error, response_schema_conformance

from backend.api.urls import api
from backend.core.accounts.services import create_token
from tests.backend.core.studies.test_access import ARGUMENTS, LivingStudy, living
from tests.backend.core.studies.test_every_page import modelled
from tests.cast import NOW
from tests.examples import examples

__all__ = ["living", "modelled"]

CALLS_EACH = 2
ROOMS = (["models"], ["labelling"], ["reports"])
CONFORMS = [not_a_server_error, response_schema_conformance]


def described() -> Any:
    """The description as it is given out, with the application behind it."""
    document = json.loads(json.dumps(api.get_openapi_schema(path_prefix="/api/v1/"), default=str))
    schema = schemathesis.openapi.from_dict(document)
    schema.app = get_wsgi_application()
    return schema


@pytest.fixture
def kept_connection() -> Iterator[None]:
    """The application closes its connection after each request, as Django's own client for tests does not."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


def operations() -> list[Any]:
    return [result.ok() for result in described().get_all_operations()]


# The client that schemathesis uses leaves the file of a refused upload to the garbage collector
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.usefixtures("kept_connection")
def test_every_call_as_it_is_described(living: LivingStudy) -> None:
    _, token = create_token(user=living.cast.rosa, name="test", now=NOW)
    headers = {"Authorization": f"Bearer {token}"}
    found = operations()
    assert len(found) > 100
    faults: list[str] = []
    for operation in found:
        _try(operation, living, headers, faults)
    assert faults == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_calls_about_models_as_they_are_described_where_there_are_some(
    modelled: LivingStudy, kept_connection: None
) -> None:
    """The connection is kept after the study was made: the client that makes it minds the same signals."""
    _, token = create_token(user=modelled.cast.rosa, name="test", now=NOW)
    headers = {"Authorization": f"Bearer {token}"}
    found = [each for each in operations() if each.path.split("/")[5:6] in ROOMS]
    assert len(found) > 20
    faults: list[str] = []
    for operation in found:
        _try(operation, modelled, headers, faults)
    assert faults == []


def _try(operation: Any, study: LivingStudy, headers: dict[str, str], faults: list[str]) -> None:
    @given(case=operation.as_strategy())
    @settings(
        max_examples=examples(CALLS_EACH),
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    def call(case: Any) -> None:
        for name in case.path_parameters or {}:
            case.path_parameters[name] = study.address(ARGUMENTS.get(name, "1"))
        with transaction.atomic():
            try:
                case.validate_response(case.call(headers=headers), checks=CONFORMS)
            except Exception as problem:
                faults.append(f"{operation.method.upper()} {operation.path}: {problem!r}"[:600])
            transaction.set_rollback(True)

    call()
