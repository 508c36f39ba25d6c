"""How well predictions match a release: every measure with its interval, and what was left out of it."""
