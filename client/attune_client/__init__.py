"""An Attune study from a notebook, as pandas DataFrames."""

from attune_client.attune import Attune
from attune_client.connection import (
    AttuneError,
    ChangedMeanwhile,
    NotAllowed,
    NotFound,
    Refused,
    ServerError,
    ServerUnreachable,
)
from attune_client.jobs import Job, JobFailed
from attune_client.release import Release
from attune_client.report import Report
from attune_client.study import Study

__all__ = [
    "Attune",
    "AttuneError",
    "ChangedMeanwhile",
    "Job",
    "JobFailed",
    "NotAllowed",
    "NotFound",
    "Refused",
    "Release",
    "Report",
    "ServerError",
    "ServerUnreachable",
    "Study",
]
