"""Promotion: whether an adapter may enter service, by a rule that the study sets itself."""
