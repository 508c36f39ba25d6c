"""The alternative-annotator test: whether a model may take the place of an annotator."""
