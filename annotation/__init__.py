"""What a judgment is, the mathematics on it, and the codec between codebooks and Label Studio."""
