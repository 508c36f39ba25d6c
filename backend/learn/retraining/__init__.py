"""Retraining by schedule: when a study's model learns anew, what each run did, and what came of it."""
