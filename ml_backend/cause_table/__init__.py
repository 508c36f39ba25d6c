"""Trains every cell of a table of ways of finding marked sentences."""
