"""Each kind of job has one handler."""

from __future__ import annotations

import pytest

from backend.core.jobs.errors import UnknownJobKind
from backend.core.jobs.handlers import handler_for, job_handler
from tests.integration import probe_handlers


def test_a_handler_is_found_by_its_kind() -> None:
    assert handler_for(probe_handlers.COUNT) is probe_handlers.count


def test_two_handlers_for_one_kind_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Two handlers .* 'probe_count'"):
        job_handler(probe_handlers.COUNT)(probe_handlers.count)


def test_an_unknown_kind_is_named_with_what_there_is() -> None:
    with pytest.raises(UnknownJobKind, match="'knit'"):
        handler_for("knit")
