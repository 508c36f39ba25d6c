"""Adapters as both sides see them: the card, the files of the folder, and which one is in service."""
