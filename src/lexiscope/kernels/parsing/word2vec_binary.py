"""Records of the binary word2vec format: a word, a space, the bytes of a vector."""

from numba import njit

SPACE, NEWLINE = 32, 10
DONE, NO_SPACE, TRUNCATED = 0, 1, 2


@njit(nogil=True, cache=True, boundscheck=False)
def find_records(data, i, limit, width, longest, word_starts, word_ends):
    """Find up to `limit` records in `data` from byte `i`: (records found, byte reached, state).

    Newlines before a word are skipped, because some programs end every record with one. The state
    is DONE, TRUNCATED if the last record is incomplete, or NO_SPACE if a word exceeds `longest`
    bytes.
    """
    size = data.shape[0]
    for record in range(limit):
        begin = i
        while i < size and data[i] == NEWLINE:
            i += 1
        start = i
        while i < size and data[i] != SPACE:
            i += 1
            if i - start > longest:
                return record, begin, NO_SPACE
        if i + 1 + width > size:
            return record, begin, TRUNCATED
        word_starts[record] = start
        word_ends[record] = i
        i += 1 + width
    return limit, i, DONE


@njit(nogil=True, cache=True, boundscheck=False)
def copy_vectors(data, word_ends, rows):
    """Copy the bytes of each vector, which follow its word, to `rows` (records, bytes)."""
    for record in range(rows.shape[0]):
        start = word_ends[record] + 1
        for k in range(rows.shape[1]):
            rows[record, k] = data[start + k]
