"""A study in which batches can be opened."""

from tests.backend.annotate.batches.conftest import ready

__all__ = ["ready"]
