"""What a study wants suggested, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from backend.annotate.batches.models import BatchKind

# Never practice, which teaches the codebook, nor a recheck, which asks what somebody thinks by themselves
SUGGESTIBLE = (BatchKind.MAIN, BatchKind.ACTIVE, BatchKind.OVERLAP)


@dataclass(frozen=True, slots=True)
class PrelabelChoice:
    is_on: bool = True
    blind_share: float = 0.2
    kinds: tuple[BatchKind, ...] = (BatchKind.MAIN, BatchKind.ACTIVE)
