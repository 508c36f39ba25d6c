"""A small corpus written for this project, in the formats of real dumps."""

from pathlib import Path

DEMO_FOLDER = Path(__file__).parent
