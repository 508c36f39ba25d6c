"""What cannot be done is refused before anything is read or written."""

from __future__ import annotations

import pytest

from ml_backend.arguments import parser

TRAIN, EVALUATE = ("train", "release", "out"), ("evaluate", "adapter", "release")
CAUSE_TABLE = ("cause_table", "release", "--out", "folder")
TRANSFER = ("transfer", "study.yaml", "--out", "folder")
SIMULATE = ("simulate_active_learning", "release", "out")


@pytest.mark.parametrize(
    ("command", "option", "value", "message"),
    [
        (TRAIN, "--seed", "-1", "-1 is not a whole number from 0 to 4,294,967,295"),
        (TRAIN, "--seed", "4294967296", "from 0 to 4,294,967,295"),
        (TRAIN, "--epochs", "0", "0 is not a whole number from 1 up"),
        (TRAIN, "--threads", "-1", "-1 is not a whole number from 0 up"),
        (EVALUATE, "--seed", "-1", "argument --seed"),
        (EVALUATE, "--resamples", "-5", "argument --resamples"),
        (SIMULATE, "--seeds", "0", "argument --seeds: 0 is not a whole number from 1 up"),
        (SIMULATE, "--seed", "-1", "argument --seed"),
        (SIMULATE, "--start", "0", "argument --start"),
        (SIMULATE, "--step", "0", "argument --step"),
        (CAUSE_TABLE, "--seeds", "0", "argument --seeds: 0 is not a whole number from 1 up"),
        (TRANSFER, "--workers", "0", "0 is not a whole number from 1 up"),
        (SIMULATE, "--most", "many", "'many' is not a whole number from 1 up"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(
    command: tuple[str, ...], option: str, value: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args([*command, f"{option}={value}"])
    assert message in capsys.readouterr().err


def test_numbers_that_make_sense_are_taken() -> None:
    options = parser().parse_args([*SIMULATE, "--seed", "0", "--seeds", "1", "--threads", "1"])
    assert (options.seed, options.seeds, options.threads) == (0, 1, 1)
