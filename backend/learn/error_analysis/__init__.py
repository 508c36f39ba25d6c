"""Where a model and its release differ, sorted by people: which errors are whose."""
