"""What cannot be done about the sync, each under its own name."""

from __future__ import annotations


class SyncError(Exception):
    """Label Studio and Attune could not be brought in line; the message says why and what to do."""


class NotThereYet(SyncError):
    """The annotator's project is still being made, or was lost."""


class WorkIsClosed(SyncError):
    """The batch is paused or closed, or the annotator was withdrawn from it."""


class BatchIsBusy(SyncError):
    """Another job is bringing the same batch in line."""


class ItemsDoNotSettle(SyncError):
    """After several rounds the items in Label Studio are still not those of the share."""
