"""Reminds annotators, once, of a batch that is soon due."""
