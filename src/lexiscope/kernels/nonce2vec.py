"""Nonce2Vec: skip-gram with negative sampling that trains the vector of one term per sample.

Codes, sentences and samples are those of `term_contexts`. Dot products and the vectors of terms
are in double precision.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.rng import next_state, random_bits, sample_alias

_TERM = -2
_FAST = {"reassoc", "contract"}


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def train(
    codes,
    starts,
    samples,
    seeds,
    subsampling,
    schedule,
    rates,
    negatives,
    outputs,
    changed,
    vectors,
):
    """Train each row of `vectors` (samples, dimension) in place; rows with NaN are skipped.

    Parameters
    ----------
    codes (tokens,), starts (sentences + 1,)
        The sentences of all samples.
    samples : (samples + 1,)
        Sample `s` is the sentences samples[s] to samples[s + 1].
    seeds : (samples,), uint64
        The random state of each sample.
    subsampling : counts (words,), own (words,), threshold, decay
        Frequencies in the background; zeros, which are restored; the threshold per token of the
        sample, 0 keeps all words; the divisor of keep probabilities after each sentence.
    schedule : window, window_decay, restart
        The first window, what each sentence subtracts from it, and whether the count of trained
        pairs restarts with each sentence.
    rates : learning_rate, min_learning_rate, decay
    negatives : alias table (words,), number
    outputs : (words, dimension)
        Output vectors.
    changed : (words, dimension) or (0, dimension)
        A copy of `outputs` that is trained too, and restored after each sample; empty to freeze.
    """
    counts, own, threshold, sample_decay = subsampling
    window_at_start, window_decay, restart = schedule
    line = np.empty(_longest(starts), np.int64)
    targets = np.empty(negatives[1] + 1, np.int64)
    gradients = np.empty(negatives[1] + 1, np.float64)
    error = np.empty(vectors.shape[1], np.float64)
    learn_outputs = changed.shape[0] > 0
    touched = np.empty(64, np.int64)
    for sample in range(samples.shape[0] - 1):
        vector = vectors[sample]
        if np.isnan(vector[0]):
            continue
        first, last = starts[samples[sample]], starts[samples[sample + 1]]
        limit = threshold * _count(codes, first, last, own, 1)
        state = seeds[sample]
        window, kept, pairs, touches = window_at_start, 1.0, 0, 0
        for sentence in range(samples[sample], samples[sample + 1]):
            if window == 0:
                break
            length, state = _subsample(
                codes[starts[sentence] : starts[sentence + 1]],
                counts,
                own,
                limit,
                kept,
                state,
                line,
            )
            if restart:
                pairs = 0
            for position in range(length):
                word = line[position]
                end = length if window >= length - position else position + window + 1
                for near in range(max(0, position - window), end):
                    if near == position or line[near] != _TERM:
                        continue
                    pairs += 1  # also for two occurrences of the term, which train nothing
                    if word == _TERM:
                        continue
                    rate = max(rates[1], rates[0] * np.exp(-(pairs - 1) / rates[2]))
                    state = _sample_targets(word, negatives[0], state, targets)
                    if learn_outputs:
                        if touches + targets.shape[0] > touched.shape[0]:
                            touched = np.concatenate((touched, np.empty_like(touched), targets))
                        touched[touches : touches + targets.shape[0]] = targets
                        touches += targets.shape[0]
                        _gradients(vector, changed, targets, rate, gradients, error)
                        _update_outputs(vector, changed, targets, gradients)
                    else:
                        _gradients(vector, outputs, targets, rate, gradients, error)
                    for k in range(vector.shape[0]):
                        vector[k] += error[k]
            if window >= 4:
                window = max(0, window - window_decay)
            kept /= sample_decay
        _count(codes, first, last, own, -1)
        for index in range(touches):
            changed[touched[index]] = outputs[touched[index]]


@njit(nogil=True, cache=True, boundscheck=False)
def _longest(starts):
    longest = 0
    for sentence in range(starts.shape[0] - 1):
        longest = max(longest, starts[sentence + 1] - starts[sentence])
    return longest


@njit(nogil=True, cache=True, boundscheck=False)
def _count(codes, first, last, own, step):
    """Add `step` to the count of each word; returns the number of known words and terms."""
    total = 0
    for token in range(first, last):
        if codes[token] >= 0:
            own[codes[token]] += step
        total += codes[token] >= 0 or codes[token] == _TERM
    return total


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy")
def _subsample(sentence, counts, own, limit, kept, state, line):
    """Write the term and the words that stay to `line`; returns their number and the state."""
    length = 0
    for token in range(sentence.shape[0]):
        code = sentence[token]
        stays = code == _TERM
        if code >= 0:
            stays = True
            if limit > 0.0:
                ratio = limit / (counts[code] + own[code])
                state = next_state(state)
                uniform = np.float64(random_bits(state) >> np.uint64(11)) * 2.0**-53
                stays = uniform < min(1.0, np.sqrt(ratio) + ratio) * kept
        if stays:
            line[length] = code
            length += 1
    return length, state


@njit(nogil=True, cache=True, boundscheck=False)
def _sample_targets(word, table, state, targets):
    """Write the word and negative samples, which differ from it; returns the state."""
    targets[0] = word
    filled = 1
    while filled < targets.shape[0]:
        state = next_state(state)
        targets[filled] = sample_alias(random_bits(state), table)
        filled += targets[filled] != word
    return state


@njit(nogil=True, cache=True, boundscheck=False, error_model="numpy", fastmath=_FAST)
def _gradients(vector, outputs, targets, rate, gradients, error):
    """Write the gradient of each target, and their sum times output vectors to `error`."""
    error[:] = 0.0
    for m in range(targets.shape[0]):
        row = outputs[targets[m]]
        product = 0.0
        for k in range(vector.shape[0]):
            product += vector[k] * row[k]
        label = 1.0 if m == 0 else 0.0
        gradients[m] = rate * (label - 1.0 / (1.0 + np.exp(-product)))
        for k in range(vector.shape[0]):
            error[k] += gradients[m] * row[k]


@njit(nogil=True, cache=True, boundscheck=False)
def _update_outputs(vector, outputs, targets, gradients):
    """Update output vectors; one that was sampled twice is updated once, as in the program."""
    for m in range(targets.shape[0]):
        repeated = False
        for other in range(m):
            repeated |= targets[other] == targets[m]
        if not repeated:
            for k in range(vector.shape[0]):
                outputs[targets[m], k] += gradients[m] * vector[k]
