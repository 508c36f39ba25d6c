"""Whether an instance is well: what a person or a program that watches it asks."""
