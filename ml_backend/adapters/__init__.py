"""Adapters: what was learned, as a folder that says where it comes from and how good it is."""
