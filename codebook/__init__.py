"""What a study looks for: the codebook from which interface, prompts, heads, metrics and tables follow."""
