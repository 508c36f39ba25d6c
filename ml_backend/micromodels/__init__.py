"""Micromodels: how like the sentences of a text are to words that people marked, and curves on top of that."""
