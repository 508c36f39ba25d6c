"""What a model said, what the corpus knows and what annotators judged, joined into the columns that analyses take."""
