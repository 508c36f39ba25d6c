"""Instruct models that are asked one question for each code and answer in JSON: fine-tuned, or shown a few examples."""
