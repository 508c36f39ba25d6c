"""Judgments and reports as canonical JSON, so that a report can be kept and traced to its inputs by their hash."""

import hashlib
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from annotation.agreement.registry import statistic_names
from annotation.agreement.reports import (
    NOT_MEASURED,
    BatchAgreement,
    RetestAgreement,
    RetestJudgments,
    retests_in_order,
)
from annotation.agreement.values import BatchJudgments, judgments_in_order

Kept = BatchJudgments | BatchAgreement | RetestJudgments | RetestAgreement
T = TypeVar("T", BatchJudgments, RetestJudgments, RetestAgreement)
_NOT_MEASURED = msgspec.to_builtins(NOT_MEASURED)


class AgreementFileUnreadable(ValueError):
    """JSON that is not what it was said to be."""


def encode(kept: Kept) -> bytes:
    """Canonical: keys sorted, and judgments in order whatever order they came in; there is no NaN in any of them.

    Statistics stand beside the other facts of what they were measured on, each by its name.
    """
    if isinstance(kept, BatchJudgments):
        kept = judgments_in_order(kept)
    elif isinstance(kept, RetestJudgments):
        kept = retests_in_order(kept)
    plain = msgspec.to_builtins(kept, str_keys=True)
    if isinstance(kept, BatchAgreement):
        for measured in _measured_parts(plain):
            measured |= measured.pop("estimates")
    return msgspec.json.encode(plain, order="sorted")


def decode_batch_judgments(data: bytes) -> BatchJudgments:
    return _decode(data, BatchJudgments)


def decode_batch_agreement(data: bytes) -> BatchAgreement:
    """Statistics that the report is too old to have are there without a value, and say so."""
    try:
        plain = msgspec.json.decode(data)
        for measured in _measured_parts(plain):
            found = {name: value for name, value in measured.items() if isinstance(value, dict)}
            for name in found:
                del measured[name]
            measured["estimates"] = dict.fromkeys(statistic_names(), _NOT_MEASURED) | found
        return msgspec.convert(plain, BatchAgreement)
    except (msgspec.DecodeError, KeyError, TypeError) as error:
        raise _unreadable(BatchAgreement, error) from error


def _measured_parts(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every part of a report that holds statistics."""
    for code in report["codes"]:
        yield code["ratings"]
        if code["sentences"] is not None:
            yield code["sentences"]
    yield from report["means"]


def decode_retest_judgments(data: bytes) -> RetestJudgments:
    return _decode(data, RetestJudgments)


def decode_retest_agreement(data: bytes) -> RetestAgreement:
    return _decode(data, RetestAgreement)


def inputs_hash(judgments: BatchJudgments | RetestJudgments) -> str:
    """The sha256 of the canonical form, as 64 hexadecimal digits."""
    return hashlib.sha256(encode(judgments)).hexdigest()


def _decode(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise _unreadable(kind, error) from error


def _unreadable(kind: type, error: Exception) -> AgreementFileUnreadable:
    return AgreementFileUnreadable(f"This is no {kind.__name__}: {error}. Compute it again.")
