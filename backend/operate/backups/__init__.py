"""Backups: the whole instance in one folder that proves itself, and the way back."""
