"""Instruct models that are asked one question for each code and answer in JSON: fine-tuned, or shown a few examples."""

from ml_backend.unasked_advice import hush

# Before peft is loaded.
hush()
