"""Laid over Label Studio inside its own environment; imports nothing of Attune's outside this folder."""
