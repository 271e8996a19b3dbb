"""Student's t distribution: the numbers of `scipy.stats.t`, without its checks of arguments.

A run of many embeddings needs several of them for each of thousands of comparisons.
"""


def quantile(probability: float, degrees_of_freedom: float) -> float:
    """Return the quantile of a probability.

    >>> round(quantile(0.975, 10), 3)
    2.228
    """
    from scipy.special import stdtrit

    return float(stdtrit(degrees_of_freedom, probability))


def upper_tail(value: float, degrees_of_freedom: float) -> float:
    """Return the probability of a larger value.

    >>> round(upper_tail(2.228, 10), 3)
    0.025
    """
    from scipy.special import stdtr

    return float(stdtr(degrees_of_freedom, -value))
