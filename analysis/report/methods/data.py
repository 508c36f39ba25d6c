"""What was analysed, and how samples were drawn from it."""

from analysis.report.facts import CommunityFacts, CorpusFacts
from analysis.report.material import Material
from analysis.report.wording import in_order

_MOST_LISTED = 12


def data(material: Material) -> list[str]:
    if not material.parts:
        return []
    counted = in_order([f"{len(part.corpus):,} {part.things}" for part in material.parts])
    corpus = material.facts.corpus
    of_corpus = f" of the corpus “{corpus.name}”" if corpus else ""
    communities = {name for part in material.parts for name in part.corpus.groups("community").names}
    noun = "community" if len(communities) == 1 else "communities"
    said = [f"We analysed {counted} from {len(communities):,} {noun}{of_corpus}."]
    return [*said, *_of_corpus(corpus)] if corpus else said


def _of_corpus(corpus: CorpusFacts) -> list[str]:
    said = []
    if corpus.labelled:
        said.append(f"Labels were made for {corpus.labelled.rstrip('.')}.")
    if 0 < len(corpus.communities) <= _MOST_LISTED:
        said.append(f"By community these are {'; '.join(_community(each) for each in corpus.communities)}.")
    return [*said, *corpus.samples]


def _community(each: CommunityFacts) -> str:
    about = [each.platform, each.topic, f"{each.n_posts:,} posts", f"{each.n_replies:,} replies"]
    return f"{each.name} ({', '.join(word for word in about if word)})"
