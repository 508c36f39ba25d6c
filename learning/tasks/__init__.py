"""Tasks: how the ML backend is asked for what takes long, through one folder that both sides read and write."""
