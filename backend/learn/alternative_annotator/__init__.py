"""Whether a model, or whatever else gives labels, may take an annotator's place."""
