"""Tasks of the ML backend seen from the jobs: written, followed while they are worked on, cancelled, and read back."""
