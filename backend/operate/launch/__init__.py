"""Starts and stops a whole embedded Attune: `python -m backend.operate.launch`, which `make run` calls."""
