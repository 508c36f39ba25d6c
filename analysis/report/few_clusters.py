"""Where there is too little that is independent for clustered intervals to be trusted."""

import numpy as np

from analysis.labelled import LabelledCorpus
from analysis.regressions import FEW_CLUSTERS
from analysis.report.wording import in_order

_MOST_NAMED = 6
_NOUNS = {"post": "posts", "author": "authors", "community": "communities", "item_id": "items"}


def few_clusters(corpus: LabelledCorpus) -> tuple[str, ...]:
    """A note for the whole part, or for the communities that have too few."""
    nouns = _NOUNS.get(corpus.clustered_by, corpus.clustered_by)
    if corpus.clusters.n < FEW_CLUSTERS:
        return (
            f"The {corpus.things} come from only {corpus.clusters.n} {nouns}, and intervals are clustered by them: with"
            f" fewer than {FEW_CLUSTERS} they are too narrow. Label more.",
        )
    if corpus.clustered_by == "community":
        return ()
    small = _small_communities(corpus)
    if not small:
        return ()
    named = (
        in_order(small[:_MOST_NAMED])
        if len(small) <= _MOST_NAMED
        else f"{', '.join(small[:_MOST_NAMED])} and more"
    )
    return (
        f"The {corpus.things} of {named} come from fewer than {FEW_CLUSTERS} {nouns} each, so that intervals for"
        " a single one of these communities are too narrow. Label more there, or believe only what all have in common.",
    )


def _small_communities(corpus: LabelledCorpus) -> list[str]:
    groups = corpus.groups("community")
    cells = np.unique(groups.places * corpus.clusters.n + corpus.clusters.places)
    counts = np.bincount(cells // corpus.clusters.n, minlength=len(groups.names))
    return [name for name, count in zip(groups.names, counts.tolist(), strict=True) if count < FEW_CLUSTERS]
