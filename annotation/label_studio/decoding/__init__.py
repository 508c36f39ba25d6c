"""Reads what Label Studio sends back, and lets nothing through that the codebook and the text do not bear out."""

from annotation.label_studio.decoding.decode import Decoding, decode_results

__all__ = ["Decoding", "decode_results"]
