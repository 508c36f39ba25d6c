"""Orders seen from the jobs: written, followed while the ML backend works on them, cancelled, and read back."""
