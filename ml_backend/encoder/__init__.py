"""An encoder with low-rank adapters and a head for each code: the learner that serves by default."""

from ml_backend.torch_setup import silence_kernel_advice

# Before peft is loaded.
silence_kernel_advice()
