"""The Label Studio interface of a codebook, generated so that it can never drift from the guideline."""

from annotation.label_studio.config.config import label_config

__all__ = ["label_config"]
