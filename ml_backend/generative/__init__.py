"""Instruct models that are asked one question for each code and answer in JSON: fine-tuned, or shown a few examples."""

from ml_backend.torch_setup import silence_kernel_advice

# Before peft is loaded.
silence_kernel_advice()
