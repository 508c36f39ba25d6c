"""How a model gets better with more labels: by which strategy faster, and whether still."""
