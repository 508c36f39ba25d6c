"""What later apps may want to hear of a job."""

from __future__ import annotations

from backend.core.hooks import Hook

# Called with the job's number once the request is committed, whether or not a worker follows the job, and again if
# the job ends by that without the worker that held it
job_cancelled: Hook[[int], None] = Hook()
