"""What was worked out for the queue is kept for who asked last, and threads that ask together do not disturb it."""

from __future__ import annotations

import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.adjudication.memory import REMEMBERED, forget
from backend.adjudication.summaries import summaries
from tests.backend.adjudication.scene import Bench
from tests.given_work import CastAtWork


def queries_for(bench: Bench, threshold: float) -> int:
    with CaptureQueriesContext(connection) as asked:
        summaries(bench.study, bench.work.edition, threshold)
    return len(asked)


def test_what_is_asked_for_again_outlives_what_is_not(bench: Bench) -> None:
    forget()
    bench.disagree(bench.items[0])
    for rank in range(REMEMBERED):
        queries_for(bench, rank / 10)
    assert queries_for(bench, 0.0) == 1
    queries_for(bench, 1.0)
    assert queries_for(bench, 0.0) == 1
    assert queries_for(bench, 0.1) > 1


@pytest.mark.django_db(transaction=True)
def test_many_threads_ask_at_once(work: CastAtWork) -> None:
    forget()
    bench = Bench(work)
    bench.disagree(bench.items[0])
    found: list[int] = []

    def ask(rank: int) -> None:
        try:
            for step in range(10):
                found.append(len(summaries(bench.study, bench.work.edition, (rank + step) / 100)))
        finally:
            connection.close()

    threads = [threading.Thread(target=ask, args=[rank]) for rank in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 80
