"""Frozen datasets as files: final labels with their provenance, the split, the data card, and the proof of all."""
