"""What gunicorn serves: `gunicorn ml_backend.server.wsgi`, told everything by the environment."""

from __future__ import annotations

import logging
import os

from ml_backend.__main__ import prepare_environment
from ml_backend.server.application import Application
from ml_backend.server.environment import read_environment
from ml_backend.server.services import Services

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)-7s %(name)s: %(message)s")
_environment = read_environment(os.environ)
prepare_environment()
# Torch is loaded with the first adapter, so that the server is up at once, and reads this then.
os.environ.setdefault("OMP_NUM_THREADS", str(_environment.threads))
application = Application(_environment, Services(_environment.adapters))
