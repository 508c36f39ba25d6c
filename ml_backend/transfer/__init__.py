"""Adapters on top of adapters: trains the cells of a transfer study."""
