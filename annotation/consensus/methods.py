"""One way in to all methods of consensus, by the name that people choose."""

from annotation.consensus.dawid_skene import dawid_skene
from annotation.consensus.mace import mace
from annotation.consensus.majority import majority
from annotation.consensus.values import Consensus, Method, Votes


def consensus(votes: Votes, method: Method, *, seed: int) -> Consensus:
    """Only MACE has anything random in it: its restarts."""
    match method:
        case Method.MAJORITY:
            return majority(votes)
        case Method.DAWID_SKENE:
            return dawid_skene(votes)
        case Method.MACE:
            return mace(votes, seed=seed)
