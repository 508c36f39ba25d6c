"""One way in to all methods of consensus, by the name that people choose."""

from annotation.consensus.dawid_skene import dawid_skene
from annotation.consensus.mace import mace
from annotation.consensus.majority import majority
from annotation.consensus.values import Consensus, Method, Ties, Votes


def consensus(votes: Votes, method: Method, *, seed: int, ties: Ties = Ties.SEED) -> Consensus:
    """The seed is for the restarts of MACE, and for ties of the majority."""
    match method:
        case Method.MAJORITY:
            return majority(votes, ties=ties, seed=seed)
        case Method.DAWID_SKENE:
            return dawid_skene(votes)
        case Method.MACE:
            return mace(votes, seed=seed)
