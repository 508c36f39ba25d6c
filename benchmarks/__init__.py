"""Speed and memory, measured as ratios in one run so that they mean the same on any machine."""
