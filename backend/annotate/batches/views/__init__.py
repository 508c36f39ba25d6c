"""Pages about batches: planning one, watching and changing it, and working on it."""
