"""An encoder with low-rank adapters and a head for each code: the learner that serves by default."""
