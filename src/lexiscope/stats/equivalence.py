"""Equivalence tests and statistical power, from the standard error of a difference."""

POWER = 0.8


def equivalence_p_value(
    value: float, error: float, degrees_of_freedom: float | None, margin: float
) -> float:
    """Compute the p-value of two one-sided t tests (TOST; Schuirmann 1987).

    The null hypothesis is that the true difference is at least `margin` in either direction.

    >>> round(equivalence_p_value(0.01, 0.01, 100, 0.05), 5)
    6e-05
    >>> equivalence_p_value(0.06, 0.01, 100, 0.05) > 0.5
    True
    """
    from scipy.stats import t

    if not error or degrees_of_freedom is None:
        return 0.0 if abs(value) < margin else 1.0
    return float(t.sf((margin - abs(value)) / error, degrees_of_freedom))


def detectable_difference(error: float, degrees_of_freedom: float, alpha: float) -> float:
    """Compute the smallest true difference that a two-sided test detects with 80 % power.

    >>> round(detectable_difference(0.02, 1000, 0.05), 3)
    0.056
    """
    from scipy.stats import t

    both = t.ppf(1 - alpha / 2, degrees_of_freedom) + t.ppf(POWER, degrees_of_freedom)
    return float(both * error)
