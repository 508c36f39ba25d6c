"""A study's plan, frozen before there are labels, and what became of it."""
