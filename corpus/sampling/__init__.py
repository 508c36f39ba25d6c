"""Sampling designs with known inclusion probabilities, so that whatever is annotated can be weighted back."""
