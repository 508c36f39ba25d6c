"""What every pool keeps to, whatever its workers run on: each of them inherits these tests."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_backend.pools.interface import Cell, CellFailure, CellResult, Pool, PoolState, SetupFailed, Work
from tests.ml_backend.pools import cells as functions

HERE = functions.__name__


def work_of(function: str, **more: str | bytes | int) -> Work:
    return Work(f"{HERE}.{function}", **more)  # type: ignore[arg-type]


def numbered(*payloads: bytes) -> list[Cell]:
    return [Cell(number, payload) for number, payload in enumerate(payloads)]


class PoolContract(ABC):
    @abstractmethod
    def pool(self) -> Pool:
        """Of two workers."""

    def test_every_cell_is_done_once(self) -> None:
        found = list(self.pool().run(work_of("reverse"), numbered(*(b"%d" % n for n in range(100, 160)))))
        assert all(isinstance(each, CellResult) and each.seconds >= 0 for each in found)
        contents = {each.number: each.content for each in found if isinstance(each, CellResult)}
        assert contents == {n: str(100 + n)[::-1].encode() for n in range(60)} and len(found) == 60

    def test_no_cells_start_nothing(self) -> None:
        assert list(self.pool().run(work_of("reverse"), [])) == []

    def test_a_worker_loads_once_and_does_cells_in_turn(self) -> None:
        work = work_of("append", setup=f"{HERE}.load", shared=b"loaded", ahead=1)
        found = list(self.pool().run(work, numbered(b"a", b"b", b"c", b"d")))
        by_worker: dict[str, list[bytes]] = {}
        for each in found:
            assert isinstance(each, CellResult)
            by_worker.setdefault(each.worker, []).append(each.content)
        for contents in by_worker.values():
            assert contents[-1].startswith(b"loaded ") and len(contents[-1].split()) == 1 + len(contents)

    def test_what_raises_fails_with_its_number_and_the_others_go_on(self) -> None:
        found = list(self.pool().run(work_of("refuse"), [Cell(7, b"not this"), Cell(9, b"nor that")]))
        assert {each.number for each in found} == {7, 9}
        assert all(isinstance(each, CellFailure) and "TestProblem" in each.reason for each in found)

    def test_a_cell_that_kills_its_worker_fails_after_three_tries(self) -> None:
        states: list[PoolState] = []
        cells = numbered(b"0", b"1", b"2", b"3", b"4", b"5")
        found = list(self.pool().run(work_of("die_of_three", ahead=1), cells, report=states.append))
        failed = [each for each in found if isinstance(each, CellFailure)]
        assert [each.number for each in failed] == [3] and "stopped its worker 3 times" in str(failed[0])
        assert sorted(each.number for each in found) == list(range(6))
        # What the cell before it answered may be lost with the worker, which then counts as a try of that one
        assert 2 <= states[-1].n_lost_workers <= 6 and states[-1].n_done <= 6, states[-1]

    def test_a_cell_whose_worker_died_once_is_tried_again(self, tmp_path: Path) -> None:
        mark = str(tmp_path / "mark").encode()
        (found,) = self.pool().run(work_of("die_once"), numbered(mark))
        assert isinstance(found, CellResult) and found.content == mark

    def test_the_limit_of_tries_is_the_callers(self, tmp_path: Path) -> None:
        mark = str(tmp_path / "mark").encode()
        (found,) = self.pool().run(work_of("die_once", tries=1), numbered(mark))
        assert isinstance(found, CellFailure) and "stopped its worker once" in found.reason

    def test_a_setup_that_raises_fails_the_run(self) -> None:
        work = work_of("append", setup=f"{HERE}.refuse_loading", shared=b"no such model")
        with pytest.raises(SetupFailed, match="TestProblem"):
            list(self.pool().run(work, numbered(b"a")))
        with pytest.raises(SetupFailed, match="no function at the top of a module"):
            list(self.pool().run(work_of("no_such_function"), numbered(b"a")))

    def test_a_setup_that_kills_fails_the_run(self) -> None:
        work = work_of("append", setup=f"{HERE}.die", shared=b"")
        with pytest.raises(SetupFailed, match="in a row stopped while they were starting"):
            list(self.pool().run(work, numbered(b"a")))

    def test_it_stops_at_once_when_who_iterates_ends(self) -> None:
        outcomes = self.pool().run(work_of("sleep"), numbered(b"0", b"0", b"600", b"600"))
        assert sorted(next(outcomes).number for _ in range(2)) == [0, 1]
        since = time.monotonic()
        outcomes.close()
        assert time.monotonic() - since < 60

    def test_what_a_cell_tells_comes_before_its_result_and_in_order(self) -> None:
        told: list[tuple[int, bytes]] = []
        heard = []
        for each in self.pool().run(
            work_of("count_up", tells=True), numbered(b"3", b"2"), heed=lambda *what: told.append(what)
        ):
            assert isinstance(each, CellResult)
            heard.append((each.number, each.content, [content for n, content in told if n == each.number]))
        assert sorted(heard) == [(0, b"all of 3", [b"0", b"1", b"2"]), (1, b"all of 2", [b"0", b"1"])]

    @pytest.mark.parametrize("function", ["tell_and_refuse", "tell_and_die"])
    def test_what_was_told_stays_told_whatever_becomes_of_the_cell(self, function: str) -> None:
        told: list[bytes] = []
        work = work_of(function, tells=True, tries=1)
        (found,) = self.pool().run(work, numbered(b"x"), heed=lambda number, content: told.append(content))
        assert isinstance(found, CellFailure) and told == [b"x"]
        assert found.stopped_worker == (function == "tell_and_die")

    def test_cells_are_taken_as_they_are_needed(self) -> None:
        taken = []

        def cells() -> Iterator[Cell]:
            for number in range(100):
                taken.append(number)
                yield Cell(number, b"0")

        outcomes = self.pool().run(work_of("sleep"), cells())
        next(outcomes)
        assert len(taken) < 20
        outcomes.close()
