"""What a model suggests to annotators: its predictions as answers they can take over."""
