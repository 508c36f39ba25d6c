"""The codec between codebooks and Label Studio: configuration, task data, encoding and decoding."""
