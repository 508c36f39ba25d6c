"""What one can ask of micromodels; the defaults are those that were best on validation data."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ml_backend.encoder.config import PACKAGED, Count, Share
from ml_backend.learners.interface import Config


class MicromodelsConfig(Config, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A `threshold` of None is chosen on the validation part. `balance` is the power of the inverse frequency that an
    answer is weighted by. With `evidence` an answer shows the sentences behind it."""

    backbone: str = PACKAGED
    groups: Count = 40
    seeds_per_code: Annotated[int, Meta(ge=0)] = 50
    endings: Share = 0.2
    threshold: Share | None = None
    evidence: bool = True
    balance: Share = 0.5
    bags: Count = 8
    max_tokens: Annotated[int, Meta(ge=8)] = 128
