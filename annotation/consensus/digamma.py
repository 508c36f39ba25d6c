"""The digamma function on arrays, which NumPy lacks and variational Bayes needs."""

import numpy as np
from numpy.typing import NDArray

# From here on the series is exact to the last digits of a float.
_FAR = 12
_SERIES = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)


def digamma(x: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""ψ(x) for x > 0: ψ(x) = ψ(x + 1) - 1/x up to where ψ(x) ≈ ln x - 1/(2x) - Σ_n B_{2n} / (2n x^{2n}) holds
    (M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 1964, 6.3.5 and 6.3.18).

    >>> [round(value, 12) for value in digamma(np.array([1.0, 0.5])).tolist()]
    [-0.577215664902, -1.963510026021]
    """
    steps = np.arange(_FAR).reshape(-1, *([1] * x.ndim))
    below = (1.0 / (x + steps)).sum(axis=0)
    far = x + _FAR
    inverse_square = 1.0 / far**2
    series = np.zeros_like(far)
    for coefficient in reversed(_SERIES):
        series = (series + coefficient) * inverse_square
    result: NDArray[np.float64] = np.log(far) - 0.5 / far - series - below
    return result
