"""What Celery needs of us below the jobs: the broker without a server, and the sign that a worker stops."""

from __future__ import annotations

import threading

# One flag for the whole process: set when the worker is told to stop, read at every report of a job.
WORKER_IS_STOPPING = threading.Event()
