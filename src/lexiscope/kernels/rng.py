"""Random numbers for the inner loops of training: one 64-bit state, owned by the caller."""

import numpy as np
from numba import njit

_STEP = np.uint64(0x9E3779B97F4A7C15)  # 2 ** 64 over the golden ratio
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@njit(nogil=True, cache=True, forceinline=True)
def next_state(state):
    """Next state of splitmix64 (Steele et al. 2014): a counter, whose bits `random_bits` mixes."""
    return state + _STEP


@njit(nogil=True, cache=True, forceinline=True)
def state_at(seed, position):
    """The state that is `position` + 1 steps after a seed."""
    return seed + (position + np.uint64(1)) * _STEP


@njit(nogil=True, cache=True, forceinline=True)
def random_bits(state):
    """The 64 random bits of a state."""
    bits = (state ^ (state >> np.uint64(30))) * _FIRST
    bits = (bits ^ (bits >> np.uint64(27))) * _SECOND
    return bits ^ (bits >> np.uint64(31))


@njit(nogil=True, cache=True, forceinline=True)
def bounded(bits, limit):
    """Integer from 0 to limit - 1, from the high half of 64 random bits."""
    return np.int64(((bits >> _HALF) * np.uint64(limit)) >> _HALF)


@njit(nogil=True, cache=True, forceinline=True)
def sample_alias(bits, table):
    """Sample an index of an alias table in proportion to its weight."""
    index = bounded(bits, table.shape[0])
    entry = table[index]
    other = np.int64(entry & _LOW)
    return index if (bits & _LOW) < (entry >> _HALF) else other


@njit(nogil=True, cache=True)
def alias_table(weights):
    """Alias table of weights (size,), uint64 (size,) (Walker 1977, Vose 1991).

    The high half of entry i is the probability of i itself, times 2 ** 32; the low half is the
    index that is sampled otherwise.
    """
    size = weights.shape[0]
    scaled = weights * (size / weights.sum())
    table = np.empty(size, np.uint64)
    order = np.empty(size, np.int64)  # small ones from the left, large ones from the right
    small = 0
    large = size
    for i in range(size):
        if scaled[i] < 1.0:
            order[small] = i
            small += 1
        else:
            large -= 1
            order[large] = i
    while small > 0 and large < size:
        small -= 1
        i = order[small]
        j = order[large]
        table[i] = (np.uint64(scaled[i] * 4294967296.0) << _HALF) | np.uint64(j)
        scaled[j] -= 1.0 - scaled[i]
        if scaled[j] < 1.0:
            large += 1
            order[small] = j
            small += 1
    for k in range(small):
        table[order[k]] = (_LOW << _HALF) | np.uint64(order[k])
    for k in range(large, size):
        table[order[k]] = (_LOW << _HALF) | np.uint64(order[k])
    return table
