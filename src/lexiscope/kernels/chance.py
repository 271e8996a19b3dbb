"""Random numbers for the inner loops of training: one 64-bit state, owned by the caller."""

import numpy as np
from numba import njit

_STEP = np.uint64(0x9E3779B97F4A7C15)  # 2 ** 64 over the golden ratio
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@njit(nogil=True, cache=True, forceinline=True)
def following(state):
    """The next state: states only count on, numbers come from mixing their bits (Steele 2014)."""
    return state + _STEP


@njit(nogil=True, cache=True, forceinline=True)
def mixed(state):
    """64 random bits of a state."""
    bits = (state ^ (state >> np.uint64(30))) * _FIRST
    bits = (bits ^ (bits >> np.uint64(27))) * _SECOND
    return bits ^ (bits >> np.uint64(31))


@njit(nogil=True, cache=True, forceinline=True)
def below(bits, limit):
    """A whole number from 0 to limit - 1 out of the high half of 64 random bits."""
    return np.int64(((bits >> _HALF) * np.uint64(limit)) >> _HALF)


@njit(nogil=True, cache=True, forceinline=True)
def drawn(bits, table):
    """A place of the table that `alias_table` made, by the weights it was made of."""
    place = below(bits, table.shape[0])
    entry = table[place]
    other = np.int64(entry & _LOW)
    return place if (bits & _LOW) < (entry >> _HALF) else other


@njit(nogil=True, cache=True)
def alias_table(weights):
    """Entries from which one number draws a place by its weight (Walker 1977, Vose 1991).

    The high half of entry i is how likely i itself is, out of 2 ** 32; the low half is the other
    place that a draw of i can mean.
    """
    size = weights.shape[0]
    shares = weights * (size / weights.sum())
    table = np.empty(size, np.uint64)
    order = np.empty(size, np.int64)  # small ones from the left, large ones from the right
    small = 0
    large = size
    for i in range(size):
        if shares[i] < 1.0:
            order[small] = i
            small += 1
        else:
            large -= 1
            order[large] = i
    while small > 0 and large < size:
        small -= 1
        i = order[small]
        j = order[large]
        table[i] = (np.uint64(shares[i] * 4294967296.0) << _HALF) | np.uint64(j)
        shares[j] -= 1.0 - shares[i]
        if shares[j] < 1.0:
            large += 1
            order[small] = j
            small += 1
    for k in range(small):
        table[order[k]] = (_LOW << _HALF) | np.uint64(order[k])
    for k in range(large, size):
        table[order[k]] = (_LOW << _HALF) | np.uint64(order[k])
    return table
