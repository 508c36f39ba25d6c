"""Deletes a study with everything that any stage keeps of it."""
