"""An invented corpus with known effects as the input of a report, with all facts that can be known."""

from functools import cache

import numpy as np

from analysis.lexicon import Lexicon
from analysis.marked_passages import MarkedPassages
from analysis.report.build import build_report
from analysis.report.content import Report
from analysis.report.facts import (
    AnnotationFacts,
    CodebookFacts,
    CodeFacts,
    CommunityFacts,
    CorpusFacts,
    GoldFacts,
    ModelFacts,
    ReleaseFacts,
    ReportFacts,
    Score,
)
from analysis.report.material import ReportInput
from codebook.schema import Part
from tests.analysis.simulated_corpus import COMMUNITIES, POST_CODES, REPLY_CODES, simulated

LEXICON = Lexicon("feelings.csv", ("sadness", "calm"), {"died": (1.0, 0.0), "rain": (0.0, 0.5)})
CODES = (
    CodeFacts(id="emotions", name=POST_CODES["emotions"], part=Part.POST, category="Self-disclosure"),
    CodeFacts(id="advice", name=POST_CODES["advice"], part=Part.POST, category="Request"),
    CodeFacts(id="resonance", name=REPLY_CODES["resonance"], part=Part.REPLY, category="Emotional empathy"),
    CodeFacts(id="concern", name=REPLY_CODES["concern"], part=Part.REPLY, category="Empathic concern"),
)
BARE_FACTS = ReportFacts(study="Kind words", codebook=CodebookFacts(title="Practices"))
FACTS = ReportFacts(
    study="Kind words",
    codebook=CodebookFacts(title="Practices", edition=3, edition_hash="ed" * 32, codes=CODES),
    corpus=CorpusFacts(
        name="Six communities",
        labelled="1,500 posts drawn at random, with all their replies",
        communities=tuple(
            CommunityFacts(
                name=name, n_posts=250, n_replies=600, platform=name.split("/")[0], topic=name.split("/")[1]
            )
            for name in COMMUNITIES
        ),
        samples=("400 pairs were drawn with probability proportional to the number of replies plus one.",),
    ),
    annotation=AnnotationFacts(
        n_annotators=3,
        n_items=100,
        measure="Fleiss' κ",
        agreement=tuple(Score(code=code.id, value=0.7, low=0.6, high=0.8) for code in CODES),
    ),
    release=ReleaseFacts(
        name="First release",
        number=1,
        release_hash="ab" * 32,
        n_items=400,
        split={"train": 240, "validation": 80, "test": 80},
    ),
    model=ModelFacts(
        adapter="adapter-7",
        learner="a fine-tuned encoder",
        configuration="reply and post",
        measure="macro-F1",
        measured_on="the test part of release 1",
        scores=tuple(Score(code=code.id, value=0.8) for code in CODES),
    ),
    gold=GoldFacts(
        n_posts=400,
        n_replies=380,
        drawn="with probability proportional to the number of replies plus one",
        is_unseen=True,
        unseen_because="each fold was predicted by a model trained without it",
    ),
    seed=7,
    software="Attune 0.1.0",
)


def given_report(
    *, n_posts: int = 1_500, n_gold: int = 400, seed: int = 3, facts: ReportFacts = FACTS
) -> ReportInput:
    corpus = simulated(n_posts=n_posts, n_gold=n_gold, seed=seed)
    return ReportInput(corpus.posts, corpus.replies, facts, passages=(given_passages(),), lexicon=LEXICON)


@cache
def built_report(*, n_posts: int, n_gold: int) -> Report:
    """Built by the first test that asks: it takes seconds, and each process of the tests loads all files."""
    return build_report(given_report(n_posts=n_posts, n_gold=n_gold))


def given_passages(n: int = 90) -> MarkedPassages:
    """Every third sentence is marked, and tells of sorrow where others tell of the weather."""
    marked = [at % 3 == 0 for at in range(n)]
    texts = [
        f"My old dog died on day {at}." if is_marked else f"Rain fell all day {at} on the old roof."
        for at, is_marked in enumerate(marked)
    ]
    posts = tuple(f"reddit/work/{at // 6}" for at in range(n))
    return MarkedPassages("emotions", POST_CODES["emotions"], tuple(texts), posts, np.array(marked))
