"""Researchers settle what annotators disagree on, side by side; every decision is kept."""
