"""Judgments and reports as canonical JSON, so that a report can be kept and traced to its inputs by their hash."""

import hashlib
from typing import TypeVar

import msgspec

from annotation.agreement.ordering import judgments_in_order, retests_in_order
from annotation.agreement.reports import BatchAgreement, RetestAgreement, RetestJudgments
from annotation.agreement.values import BatchJudgments

Kept = BatchJudgments | BatchAgreement | RetestJudgments | RetestAgreement
T = TypeVar("T", BatchJudgments, BatchAgreement, RetestJudgments, RetestAgreement)


class AgreementFileUnreadable(ValueError):
    """JSON that is not what it was said to be."""


def encode(kept: Kept) -> bytes:
    """Canonical: keys sorted, and judgments in order whatever order they came in; there is no NaN in any of them."""
    if isinstance(kept, BatchJudgments):
        kept = judgments_in_order(kept)
    elif isinstance(kept, RetestJudgments):
        kept = retests_in_order(kept)
    return msgspec.json.encode(msgspec.to_builtins(kept, str_keys=True), order="sorted")


def decode_batch_judgments(data: bytes) -> BatchJudgments:
    return _decoded(data, BatchJudgments)


def decode_batch_agreement(data: bytes) -> BatchAgreement:
    return _decoded(data, BatchAgreement)


def decode_retest_judgments(data: bytes) -> RetestJudgments:
    return _decoded(data, RetestJudgments)


def decode_retest_agreement(data: bytes) -> RetestAgreement:
    return _decoded(data, RetestAgreement)


def inputs_hash(judgments: BatchJudgments | RetestJudgments) -> str:
    """The sha256 of the canonical form, as 64 hexadecimal digits."""
    return hashlib.sha256(encode(judgments)).hexdigest()


def _decoded(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise AgreementFileUnreadable(f"This is no {kind.__name__}: {error}. Compute it again.") from error
