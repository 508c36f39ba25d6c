"""Sampling designs with known inclusion probabilities, so that whatever is annotated can be weighted back."""

from corpus.sampling.design_json import design_from_json, design_to_json
from corpus.sampling.designs import Design, PpsPosts, UniformPairs, WholePosts
from corpus.sampling.draw import draw_sample
from corpus.sampling.errors import SampleTooLarge, SamplingError
from corpus.sampling.frame import CommunityFrame, Frame, PostKey, build_frame
from corpus.sampling.sample import CommunitySummary, DrawnItem, Sample

__all__ = [
    "CommunityFrame",
    "CommunitySummary",
    "Design",
    "DrawnItem",
    "Frame",
    "PostKey",
    "PpsPosts",
    "Sample",
    "SampleTooLarge",
    "SamplingError",
    "UniformPairs",
    "WholePosts",
    "build_frame",
    "design_from_json",
    "design_to_json",
    "draw_sample",
]
