"""How much too frequent themes are in the test part of a split, and what is left of that once its weights are raked.

python -m benchmarks.raked_shares
"""

import numpy as np

from analysis.joining.raking import rake
from analysis.joining.weight_shares import Key
from annotation.release.rows import SplitPart
from annotation.release.split import Post, split_posts

SHARES = np.array([0.3, 0.2, 0.15, 0.1, 0.1, 0.08, 0.06, 0.05, 0.05, 0.04, 0.03, 0.03, 0.02])
RATIO = (6, 2, 2)
N_TIMES = 40


def frequencies(n_posts: int, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Of each theme in posts with invented themes: in all of them, in the test part, and there by raked weights."""
    found = np.random.default_rng(seed).random((n_posts, len(SHARES))) < SHARES
    posts: dict[Post, list[str]] = {
        ("r", "a", str(at)): [f"c{code}" for code in np.flatnonzero(row)] for at, row in enumerate(found)
    }
    parts = split_posts(posts, RATIO, seed=seed)
    labels: dict[Key, tuple[int, ...]] = {
        ("a", str(at), None): tuple(row.astype(int).tolist()) for at, row in enumerate(found)
    }
    test = [key for key in labels if parts[("r", key[0], key[1])] is SplitPart.TEST]
    plain = dict.fromkeys(test, n_posts / len(test))
    weighted = rake(plain, dict.fromkeys(labels, 1.0), labels)
    return np.array(
        [
            found.sum(axis=0),
            *(
                np.sum([np.multiply(labels[key], weight) for key, weight in weights.items()], axis=0)
                for weights in (plain, weighted)
            ),
        ]
    )


def main() -> None:
    print(
        f"{len(SHARES)} themes, split {':'.join(map(str, RATIO))}, {N_TIMES} times; frequency by that in all posts"
    )
    print(f"{'posts':>6}  {'theme':>5}  {'test part':>9}  {'raked':>5}")
    for n_posts in (60, 150, 300, 1000):
        every, plain, weighted = np.sum([frequencies(n_posts, seed) for seed in range(N_TIMES)], axis=0)
        for at in (0, 4, 8, 10, 12):
            ratios = f"{plain[at] / every[at]:>9.2f}  {weighted[at] / every[at]:>5.2f}"
            print(f"{n_posts:>6}  {SHARES[at]:>5.0%}  {ratios}")


if __name__ == "__main__":
    main()
