"""Everything that touches torch: backbones, heads, training, prediction and active learning."""
