"""Transfer between tasks: what is learned for one task first, and whether that helps with another."""
