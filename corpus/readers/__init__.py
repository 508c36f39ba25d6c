"""The readers of dumps, a file each. `corpus.registry` finds them."""
