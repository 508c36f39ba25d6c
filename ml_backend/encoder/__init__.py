"""An encoder with low-rank adapters and a head for each code: the learner that serves by default."""

from ml_backend.unasked_advice import hush

# Before peft is loaded.
hush()
