"""What cannot be done about the mirror, each under its own name."""

from __future__ import annotations


class MirrorError(Exception):
    """Label Studio and Attune could not be brought in line; the message says why and what to do."""


class NotThereYet(MirrorError):
    """The annotator's project is still being made, or was lost."""


class WorkIsClosed(MirrorError):
    """The batch is paused or closed, or the annotator was withdrawn from it."""


class BatchIsBusy(MirrorError):
    """Another job is bringing the same batch in line."""


class ItemsDoNotSettle(MirrorError):
    """After several rounds the items in Label Studio are still not those of the share."""
