"""Starts and stops a whole embedded Attune: `python -m backend.launch`, which `make run` calls."""
