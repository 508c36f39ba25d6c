"""Pre-labels: what a model suggests to annotators, to whom it is never shown, and what the difference tells."""
