"""Frozen datasets: what was released, how each label came about, and whether the files are still the same."""
