"""Active learning: what to annotate next, what it has gained so far, and when to stop."""
