"""Learners: one small interface, and what can be learned from a release behind it."""
