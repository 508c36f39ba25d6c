"""How often do 95% intervals hold what is so, when labels come from a model that errs?

Corpora are invented again and again with the same known effects, a model that errs more on one platform, and gold
drawn with known probabilities. Every question is asked naively and corrected; the truth is measured on a corpus many
times as large with labels that are never wrong. Ends in an error if, over all questions, corrected intervals hold it in
less than 93 or more than 97 of 100 cases, or naive ones in 93 or more.
"""

import argparse
import time
from collections import defaultdict

import numpy as np

from analysis.prevalence import prevalence
from analysis.values import MODEL_WAYS, Finding, Way
from tests.analysis.questions import QUESTIONS, Question, is_held
from tests.analysis.simulated_corpus import Simulated, as_it_is, simulated

PROMISED = (0.93, 0.97)


class Tally:
    """Hits and widths of intervals, by question and way; a row for each corpus."""

    def __init__(self, truth: dict[Question, tuple[Finding, ...]]) -> None:
        self._truth = truth
        self.held: dict[tuple[Question, Way], list[list[bool]]] = defaultdict(list)
        self.widths: dict[tuple[Question, Way], list[list[float]]] = defaultdict(list)

    def ask(self, corpus: Simulated) -> None:
        for question, truth in self._truth.items():
            for way in MODEL_WAYS:
                found = question(corpus, way)
                pairs = zip(found, truth, strict=True)
                self.held[question, way].append([is_held(one, other) for one, other in pairs])
                bounds = ((each.estimate.low, each.estimate.high) for each in found)
                self.widths[question, way].append([(high or 0) - (low or 0) for low, high in bounds])

    def line(self, question: Question) -> str:
        naive, corrected = (np.mean(self.held[question, way], axis=0) for way in MODEL_WAYS)
        wide, wider = (np.mean(self.widths[question, way]) for way in MODEL_WAYS)
        return (
            f"{question.__name__:<14}{len(naive):>9}{naive.mean():>9.1%}{naive.min():>8.1%}–{naive.max():.1%}"
            f"{corrected.mean():>12.1%}{corrected.min():>8.1%}–{corrected.max():.1%}{wider / wide:>9.1f} ×"
        )

    def over_all(self, way: Way) -> float:
        return float(np.mean([np.mean(self.held[question, way]) for question in self._truth]))


def false_alarms(n_corpora: int, n_posts: int, n_gold: int, seed: int) -> str:
    """How often tests find platforms different at 5%, where only the model's errors are."""
    found: dict[str, list[bool]] = defaultdict(list)
    for at in range(n_corpora):
        corpus = simulated(n_posts=n_posts, n_gold=n_gold, seed=50_000 + seed + at, same_everywhere=True)
        for way in MODEL_WAYS:
            for row in prevalence(corpus.replies, by="platform", way=way).rows:
                for test in (row.pearson, row.wald):
                    if test and test.test.p is not None:
                        found[f"{way} {test.test.name}"].append(test.test.p < 0.05)
    return ", ".join(f"{name} {np.mean(hits):.1%}" for name, hits in found.items())


def count_intervals(n_corpora: int, n_posts: int, n_gold: int, seed: int, n_large: int) -> None:
    started = time.perf_counter()
    large = simulated(n_posts=n_large, n_gold=10, seed=10_000 + seed)
    whole = Simulated(as_it_is(large.posts), as_it_is(large.replies))
    tally = Tally({question: question(whole, Way.NAIVE) for question in QUESTIONS})
    for at in range(n_corpora):
        tally.ask(simulated(n_posts=n_posts, n_gold=n_gold, seed=seed + at))
    seconds = time.perf_counter() - started
    print(
        f"{n_corpora:,} corpora of {n_posts:,} posts, about {n_gold:,} with gold;"
        f" truth from {n_large:,} posts; {seconds:.0f} s"
    )
    print(f"{'':<14}{'effects':>9}{'naive':>9}{'from–to':>14}{'corrected':>13}{'from–to':>14}{'width':>11}")
    for question in QUESTIONS:
        print(tally.line(question))
    naive, corrected = (tally.over_all(way) for way in MODEL_WAYS)
    print(f"over all questions: naive {naive:.1%}, corrected {corrected:.1%}, promised 95%")
    if not PROMISED[0] <= corrected <= PROMISED[1] or naive >= PROMISED[0]:
        raise SystemExit("The intervals do not keep their promise.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=int, default=500)
    parser.add_argument("--posts", type=int, default=6_000)
    parser.add_argument("--gold", type=int, default=1_200, help="posts drawn for gold, and as many replies")
    parser.add_argument("--large", type=int, default=400_000, help="posts of the corpus that has the truth")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-false-alarms", action="store_true", help="leave the intervals out")
    asked = parser.parse_args()
    sizes = asked.corpora, asked.posts, asked.gold, asked.seed
    if not asked.only_false_alarms:
        count_intervals(*sizes, asked.large)
    alarms = false_alarms(*sizes)
    print(f"{asked.corpora:,} corpora in which only the model's errors differ between platforms")
    print(f"tests at 5% that find a difference: {alarms}")


if __name__ == "__main__":
    main()
