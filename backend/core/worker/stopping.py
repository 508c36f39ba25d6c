"""One flag for the whole process: set when the worker is told to stop, read at every report of a job."""

from __future__ import annotations

import threading

WORKER_IS_STOPPING = threading.Event()
