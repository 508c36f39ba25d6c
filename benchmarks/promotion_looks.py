"""How often does a study promote a model that is no better, if it looks every night at the same test items?

Studies are invented: posts with two items each, four themes in 5 to 45% of items, a model in service and a candidate
each night. Models err on the same hard items, and those of one post are hard together, so that candidates resemble each
other as models do that are trained again with a few more labels. Under the null every candidate is as good as the model
in service, in one of two ways: it errs likewise, or it finds more and raises more false alarms for the same macro-F1.
Otherwise it is 5 points better.

Today's rule asks for a lower end of the 95% interval above 0, every night anew. The rule over all looks asks for that
and for a gain that chance makes in few enough cases for this look (`learning.promotion.swap_test`,
`learning.alpha_spending`).

python -m benchmarks.promotion_looks
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.totals import mean_of_defined
from learning.alpha_spending import level_of_look
from learning.promotion.swap_test import swap_test
from learning.scoring.macro_f1 import macro_f1

Numbers = NDArray[np.float64]
SHARES = np.array([0.05, 0.15, 0.3, 0.45])
ITEMS_PER_POST = 2
ALIKE = 0.8  # how much of what makes an item hard is the same for all models
BY_POST = 0.5  # and how much of that is of its post
SIGNAL = 1.9
GAIN = 0.05
RESAMPLES, FEW_RESAMPLES = 200, 30
TOSSES = 50_000
LOOKS = 100
ASKED_AT = (1, 10, 30, 100)
SIZES = (60, 150, 400)
# Ways to spend 5% over all looks; the first is that of `learning.alpha_spending`.
SPENDING: dict[str, Callable[[int], float]] = {
    "5 / ((k + 4)(k + 5))": level_of_look,
    "1 / (k (k + 1))": lambda look: 0.05 / (look * (look + 1)),
    "6 / (π² k²)": lambda look: 0.05 * 6 / (np.pi * look) ** 2,
}
_PHI = np.vectorize(NormalDist().cdf)


@dataclass(frozen=True)
class Model:
    """Says that a theme is there where `signal` (if it is) plus noise is above its cut."""

    signal: float
    cuts: Numbers

    def score(self) -> float:
        """Its macro-F1 on all items there are, over themes."""
        found, alarms = _PHI(self.signal - self.cuts), _PHI(-self.cuts)
        both, gold_alone = SHARES * found, SHARES * (1 - found)
        model_alone, neither = (1 - SHARES) * alarms, (1 - SHARES) * (1 - alarms)
        table = np.stack([np.stack([neither, model_alone], -1), np.stack([gold_alone, both], -1)], -2)
        return float(macro_f1(table).mean())


def best_model(signal: float, shift: float = 0.0) -> Model:
    """With cuts that make macro-F1 largest, theme by theme, then all moved by `shift`."""
    grid = np.arange(-1, 4, 0.02)
    scores = np.stack([_by_theme(signal, np.full(len(SHARES), cut)) for cut in grid])
    return Model(signal, grid[scores.argmax(axis=0)] + shift)


def _by_theme(signal: float, cuts: Numbers) -> Numbers:
    found, alarms = _PHI(signal - cuts), _PHI(-cuts)
    table = np.stack(
        [
            np.stack([(1 - SHARES) * (1 - alarms), (1 - SHARES) * alarms], -1),
            np.stack([SHARES * (1 - found), SHARES * found], -1),
        ],
        -2,
    )
    return macro_f1(table)


def with_score(target: float, *, shift: float = 0.0) -> Model:
    """The signal that gives this score."""
    low, high = 0.5, 5.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if best_model(middle, shift).score() < target else (low, middle)
    return best_model(high, shift)


@dataclass(frozen=True)
class Study:
    """Its test items: what is there, and how hard each is."""

    truth: NDArray[np.bool_]
    hard: Numbers
    draws: Numbers

    @classmethod
    def invent(cls, n_posts: int, rng: np.random.Generator) -> Study:
        shape = (n_posts, ITEMS_PER_POST, len(SHARES))
        of_post = rng.normal(size=(n_posts, 1, len(SHARES)))
        hard = np.sqrt(BY_POST) * of_post + np.sqrt(1 - BY_POST) * rng.normal(size=shape)
        draws = rng.multinomial(n_posts, np.full(n_posts, 1 / n_posts), size=RESAMPLES)
        return cls(rng.random(shape) < SHARES, hard, draws.astype(np.float64))

    def tables(self, model: Model, rng: np.random.Generator, times: int = 1) -> Numbers:
        """Of so many models alike, for each post its items by theme, gold and answer."""
        own = rng.normal(size=(times, *self.hard.shape))
        noise = np.sqrt(ALIKE) * self.hard + np.sqrt(1 - ALIKE) * own
        said = model.signal * self.truth + noise > model.cuts
        cells = 2 * self.truth + said
        found: Numbers = np.stack([(cells == cell).sum(axis=2) for cell in range(4)], -1).astype(np.float64)
        return found.reshape(times, len(self.truth), -1)

    def may_be_above(self, candidates: Numbers, served: Numbers) -> NDArray[np.int64]:
        """Those of which a few resamples leave it open that their interval lies above 0, which saves the others."""
        gains = score(candidates.sum(axis=1)) - score(served.sum(axis=0))
        ahead = np.flatnonzero(gains > 0)
        few = self.draws[:FEW_RESAMPLES]
        by_draw = score(np.matmul(few, candidates[ahead])) - score(few @ served)
        found: NDArray[np.int64] = ahead[gains[ahead] > by_draw.std(axis=-1)]
        return found

    def lower_ends(self, candidates: Numbers, served: Numbers) -> Numbers:
        """Of the 95% intervals of their gains, on the same resamples of posts."""
        by_draw = score(np.matmul(self.draws, candidates)) - score(self.draws @ served)
        found: Numbers = np.percentile(by_draw, 2.5, axis=-1)
        return found


def score(sums: Numbers) -> Numbers:
    """Macro-F1 over the themes that the items can measure."""
    return mean_of_defined(macro_f1(sums.reshape(*sums.shape[:-1], len(SHARES), 2, 2)))


def p_of_gain(candidate: Numbers, served: Numbers, seed: int, level: float = 0.0) -> float:
    """With as many tosses as it takes to tell whether it is within the level."""
    apart = served - candidate
    differing = np.flatnonzero(apart.any(axis=1))
    ours, theirs = candidate.sum(axis=0), served.sum(axis=0)

    def gains(traded: Numbers) -> Numbers:
        moved = traded @ apart[differing]
        return score(ours + moved) - score(theirs - moved)

    return swap_test(gains, len(differing), seed=seed, most_tosses=int(20 / max(level, 20 / TOSSES))).p


def first_promotions(
    n_posts: int, served: Model, candidate: Model, rng: np.random.Generator
) -> tuple[int, int]:
    """At which look today's rule and the rule over all looks first promote one that is no better; LOOKS if never."""
    study = Study.invent(n_posts, rng)
    current, new = study.tables(served, rng)[0], study.tables(candidate, rng, LOOKS)
    ahead = study.may_be_above(new, current)
    above = ahead[study.lower_ends(new[ahead], current) > 0]
    today = int(above[0]) if len(above) else LOOKS
    for at in above:
        level = level_of_look(int(at) + 1)
        if p_of_gain(new[at], current, int(at), level) <= level:
            return today, int(at)
    return today, LOOKS


def false_promotions(n_posts: int, pair: tuple[Model, Model], studies: int, seed: int) -> None:
    rng = np.random.default_rng([seed, n_posts])
    firsts = np.array([first_promotions(n_posts, *pair, rng) for _ in range(studies)])
    shares = [f"{np.mean(firsts[:, rule] < looks):>10.1%}" for rule in (0, 1) for looks in (1, 30, LOOKS)]
    print(f"{n_posts:>8}" + "".join(shares))


def power(n_posts: int, pair: tuple[Model, Model], studies: int, seed: int) -> None:
    rng = np.random.default_rng([seed, n_posts])
    above, p = [], []
    for at in range(studies):
        study = Study.invent(n_posts, rng)
        served, new = (study.tables(model, rng) for model in pair)
        above.append(study.lower_ends(new, served[0])[0] > 0)
        p.append(p_of_gain(new[0], served[0], at))
    for words, level in SPENDING.items():
        passes = [np.mean(np.array(above) & (np.array(p) <= level(look))) for look in ASKED_AT]
        shares = [
            f"{share:.0%}" if level(look) > 1 / TOSSES else "–"
            for share, look in zip(passes, ASKED_AT, strict=True)
        ]
        print(f"{n_posts:>8}  {words:<22}{np.mean(above):>7.0%}" + "".join(f"{each:>9}" for each in shares))


def levels_kept(n_posts: int, pair: tuple[Model, Model], studies: int, seed: int) -> None:
    """How often tests call a candidate better that is no better, at levels that looks have."""
    rng = np.random.default_rng([seed, n_posts])
    found: dict[str, list[float]] = {"coin tosses": [], "normal tail": []}
    for at in range(studies):
        study = Study.invent(n_posts, rng)
        served, new = (study.tables(model, rng)[0] for model in pair)
        gain = float(score(new.sum(axis=0)) - score(served.sum(axis=0)))
        if gain > 0:
            spread = float(np.std(score(study.draws @ new) - score(study.draws @ served)))
            found["coin tosses"].append(p_of_gain(new, served, at, level_of_look(5)))
            found["normal tail"].append(1 - NormalDist().cdf(gain / spread))
    for words, p in found.items():
        shares = [np.sum(np.array(p) <= level_of_look(look)) / studies for look in (1, 5)]
        print(f"{n_posts:>8}  {words:<12}" + "".join(f"{each:>10.2%}" for each in shares))


def show_null(words: str, pair: tuple[Model, Model], sizes: Sequence[int], studies: int, seed: int) -> None:
    print(f"\nstudies that promote a model that is no better ({words}) at least once, of {studies:,}")
    print(f"{'':>8}{'today’s rule':>30}{'over all looks':>30}")
    print(f"{'posts':>8}" + "".join(f"{f'{looks} looks':>10}" for looks in (1, 30, LOOKS)) * 2)
    for n_posts in sizes:
        false_promotions(n_posts, pair, studies, seed)
    first, fifth = (f"{level_of_look(look):.2%}" for look in (1, 5))
    print(f"\nof {5 * studies:,} single candidates ({words}), called better at {first} and {fifth}")
    for n_posts in sizes:
        levels_kept(n_posts, pair, 5 * studies, seed)


def show_power(served: Model, sizes: Sequence[int], studies: int, seed: int) -> None:
    better = with_score(served.score() + GAIN)
    print(f"\nmodels that are {100 * GAIN:.0f} points better and pass, of {studies:,}")
    heads = "".join(f"{f'look {look}':>9}" for look in ASKED_AT)
    print(f"{'posts':>8}  {'spent at look k':<22}{'today':>7}{heads}")
    for n_posts in sizes:
        power(n_posts, (served, better), studies, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--posts", type=int, nargs="+", default=SIZES, help="Sizes of test sets.")
    parser.add_argument("--only", choices=["likewise", "finds-more", "power"], help="One of the tables.")
    given = parser.parse_args()
    served = best_model(SIGNAL)
    print(f"in service: macro-F1 {served.score():.3f}")
    if given.only in (None, "likewise"):
        show_null("errs likewise", (served, served), given.posts, given.studies, given.seed)
    if given.only in (None, "finds-more"):
        finds_more = with_score(served.score(), shift=-0.35)
        show_null(
            "finds more, with more false alarms", (served, finds_more), given.posts, given.studies, given.seed
        )
    if given.only in (None, "power"):
        show_power(served, given.posts, given.studies, given.seed)


if __name__ == "__main__":
    main()
