"""What a model is asked and how it is judged, without torch."""
