"""Split text into tokens and sentences, one code point at a time, and number the tokens.

The table entry of a code point holds its normalised code point (bits 0 to 20), its kind (21 to 24)
and its flags; 0 is an entry that is not filled yet. What is incomplete at the end of a block (a
token, an apostrophe that may join two letters, a full stop that may end a sentence) is kept in
`state`, so a text may be divided into blocks anywhere.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.simd.instructions import prefetch_read

KIND_SHIFT = 21
POINT_MASK = (1 << KIND_SHIFT) - 1
SPACE, LINE, DOCUMENT, LETTER, DIGIT, MARK, OTHER, JOINS_LETTERS, JOINS_DIGITS, IGNORED = range(
    1, 11
)
LOWER, UPPER, ENDS_SENTENCE = 1 << 25, 1 << 26, 1 << 27
ENDS_WITHOUT_SPACE, CLOSING, INVALID = 1 << 28, 1 << 29, 1 << 30

MAX_LENGTH = 1024  # characters of a token; longer ones are counted and dropped
SENTENCE_END, DOCUMENT_END = -1, -2  # boundaries in the array of token ends

# Positions in `state` that callers read. SEEN, TOO_LONG and INVALID_TOKENS count tokens. FILLED is
# the used length of `letters`, BEGIN and RUN_BEGIN are the starts in it of the last token and of
# the last run of letters and digits, END_COUNT is the used length of `ends`.
SEEN, TOO_LONG, INVALID_TOKENS, FILLED, BEGIN, RUN_BEGIN, END_COUNT = range(7)
STATE_SIZE = 20

_FULL_STOP, _RETURN, _NEWLINE = 46, 13, 10
_NUMBER_MASK = 0xFFFFFFFF  # the bits of a slot that hold a word's number plus one


# One long loop: a call with array arguments costs more than the work for a character.
@njit(nogil=True, cache=True, boundscheck=False)
def tokenize(
    points, at, table, spaces, split, lines, abbreviations, before_numbers, state, letters, ends
):
    """Split code points into tokens from position `at` on; returns the position reached.

    With `spaces`, tokens are separated by whitespace; otherwise they are words. Sentences end with
    a document, with `split` at punctuation and blank lines, and with `lines` at every line end.
    The characters of the tokens are concatenated in `letters`; `ends` receives the end of each
    token in it, SENTENCE_END and DOCUMENT_END. Stops at the end of the block or at a character
    without a table entry.
    """
    seen, too_long, invalid_tokens, filled, begin, run_begin, end_count = state[:7]
    pending, last, invalid = state[7:10]
    opened, ended, unless_number, opener, run, capital, after_dot, dotted = state[10:18]
    blank, returned = state[18:]
    while at < points.shape[0]:
        entry = np.int64(table[points[at]])
        if entry == 0:
            break
        at += 1
        kind, point = (entry >> KIND_SHIFT) & 15, entry & POINT_MASK
        if run and LETTER <= kind <= MARK:  # inside a word: nothing to decide
            letters[filled] = point
            filled += 1
            last = last if kind == MARK else kind
            continue
        if kind == IGNORED:
            continue
        starts = kind == LETTER or kind == DIGIT

        if split and starts:
            # The sentence ends before this word, unless it is in lower case or an excepted number.
            waits = entry & LOWER or (unless_number and kind == DIGIT)
            if ended == 2 and opened and not waits:
                ends[end_count] = SENTENCE_END
                end_count += 1
                opened = 0
            ended = opener = 0
            capital, after_dot = np.int64(entry & UPPER != 0), dotted
        elif split and entry & ENDS_SENTENCE:
            meaning = 1
            if point == _FULL_STOP and run:
                short = last == LETTER and (capital or after_dot)
                word = letters[run_begin:filled]
                meaning = _full_stop(word, short, abbreviations, before_numbers)
            unless_number = np.int64(meaning == 2)
            ended = 0 if meaning == 0 else 2 if entry & ENDS_WITHOUT_SPACE else max(ended, 1)
        elif split and kind <= DOCUMENT:
            if opener and opened:  # a token of opening punctuation
                ends[end_count] = SENTENCE_END
                end_count += 1
                opened = 0
            ended = 2 if ended and not opener else 0
            opener = 0
        elif split and not entry & CLOSING:
            opener = np.int64(spaces and ended == 2)
            ended = 2 if ended == 2 else 0
        run = np.int64(starts)
        dotted = np.int64(point == _FULL_STOP)

        inside = kind > DOCUMENT if spaces else starts
        joins = pending != 0 and kind == last
        holds = (kind == JOINS_LETTERS and last == LETTER) or (
            kind == JOINS_DIGITS and last == DIGIT
        )
        holds = holds and not inside and pending == 0 and filled > begin
        if filled > begin and not holds and (pending != 0 and not joins if inside else True):
            seen += 1
            if filled - begin > MAX_LENGTH:
                too_long += 1
                filled = begin
            elif invalid:
                invalid_tokens += 1
                filled = begin
            else:
                ends[end_count] = filled
                end_count += 1
                opened = 1
            begin = filled
            invalid = 0
        if joins:
            letters[filled] = pending
            filled += 1
        pending = point if holds else 0
        if starts:
            run_begin = filled
        if inside:
            letters[filled] = point
            filled += 1
            last = kind
            invalid |= entry & INVALID

        if kind == LINE or kind == DOCUMENT:
            second = returned and point == _NEWLINE  # one line end, of two characters
            if kind == DOCUMENT or lines or (split and blank and not second):
                if kind == DOCUMENT:
                    ends[end_count] = DOCUMENT_END
                    end_count += 1
                elif opened:
                    ends[end_count] = SENTENCE_END
                    end_count += 1
                opened = ended = opener = 0
            blank, returned = np.int64(1), np.int64(point == _RETURN)
        else:
            blank &= np.int64(kind == SPACE)
            returned = 0
    state[:7] = seen, too_long, invalid_tokens, filled, begin, run_begin, end_count
    state[7:10] = pending, last, invalid
    state[10:18] = opened, ended, unless_number, opener, run, capital, after_dot, dotted
    state[18:] = blank, returned
    return at


@njit(nogil=True, cache=True, boundscheck=False)
def _full_stop(run, short, abbreviations, before_numbers):
    """Whether a full stop after a word ends a sentence: 0 no, 1 yes, 2 unless a number follows.

    With `short`, a word of one letter is an initial or part of an abbreviation.
    """
    key = np.int64(0)
    for i in range(min(run.shape[0], 8)):
        # Abbreviations consist of a-z: any other character makes the key different from all.
        lower = np.int64(run[i]) | 32
        key = (key << 8) | (lower if 97 <= lower <= 122 else 255)
    if (short and run.shape[0] == 1) or _contains(abbreviations, key):
        return 0
    return 2 if _contains(before_numbers, key) else 1


@njit(nogil=True, cache=True, boundscheck=False)
def _contains(keys, key):
    index = np.searchsorted(keys, key)
    return index < keys.shape[0] and keys[index] == key


@njit(nogil=True, cache=True, boundscheck=False)
def hash_tokens(letters, ends, hashes):
    """Write the hash of each token; 0 at boundaries."""
    begin = 0
    for i in range(ends.shape[0]):
        hashes[i] = 0
        if ends[i] >= 0:
            hashes[i] = _hash(letters, begin, ends[i])
            begin = ends[i]


@njit(nogil=True, cache=True, boundscheck=False)
def number_tokens(letters, ends, hashes, at, begin, words, slots, index, arena):
    """Replace the end of each token, from token `at` on, by the number of its word.

    New words are numbered in order of occurrence: word w is arena[index[w, 0]:index[w + 1, 0]] and
    has occurred index[w, 1] times. `slots` is a hash table with open addressing; a used slot holds
    31 bits of the hash and the number plus one. Stops after the last token or when `index` or
    `arena` are full. Returns the token reached, its start in `letters`, and the number of words.
    """
    mask, filled, flat_index = slots.shape[0] - 1, index[words, 0], index.reshape(-1)
    while at < ends.shape[0]:
        if at + 16 < ends.shape[0]:  # prefetch slot, entry and letters
            prefetch_read(slots, hashes[at + 16] & mask)
            prefetch_read(flat_index, 2 * (slots[hashes[at + 8] & mask] & _NUMBER_MASK) - 2)
            soon = (slots[hashes[at + 4] & mask] & _NUMBER_MASK) - 1
            prefetch_read(arena, index[max(soon, 0), 0])
        end = ends[at]
        if end < 0:
            at += 1
            continue
        slot, tag, word = hashes[at] & mask, _hash_tag(hashes[at]), np.int64(-1)
        while slots[slot] != 0:
            if slots[slot] & ~_NUMBER_MASK == tag:
                word = (slots[slot] & _NUMBER_MASK) - 1
                other, same = index[word, 0], index[word + 1, 0] - index[word, 0] == end - begin
                for i in range(end - begin if same else 0):
                    same = same and arena[other + i] == letters[begin + i]
                if same:
                    break
                word = np.int64(-1)
            slot = (slot + 1) & mask
        if word < 0:
            if words + 2 > index.shape[0] or filled + end - begin > arena.shape[0]:
                break
            word = words
            words += 1
            slots[slot] = tag | words
            for i in range(begin, end):
                arena[filled] = letters[i]
                filled += 1
            index[words, 0] = filled
        index[word, 1] += 1
        ends[at] = word
        begin = end
        at += 1
    return at, begin, words


@njit(nogil=True, cache=True, boundscheck=False)
def rehash(words, slots, index, arena):
    """Insert all words into an empty hash table."""
    mask = slots.shape[0] - 1
    for word in range(words):
        hashed = _hash(arena, index[word, 0], index[word + 1, 0])
        slot = hashed & mask
        while slots[slot] != 0:
            slot = (slot + 1) & mask
        slots[slot] = _hash_tag(hashed) | (word + 1)


@njit(nogil=True, cache=True, boundscheck=False)
def _hash(letters, begin, end):
    key = np.int64(-3750763034362895579)
    for i in range(begin, end):
        key = (key ^ np.int64(letters[i])) * 1099511628211
    key = (key ^ (key >> 32)) * -7046029254386353131
    return key ^ (key >> 29)


@njit(nogil=True, cache=True, boundscheck=False)
def _hash_tag(key):
    return ((key >> 32) & 0x7FFFFFFF) << 32


@njit(nogil=True, cache=True, boundscheck=False)
def encode_block(numbers, indices, counts, tokens, starts, documents):
    """Encode word numbers as vocabulary indices; drop words with index -1, and what is empty then.

    `starts` and `documents` receive the ends of sentences (in tokens) and of documents (in
    sentences). `counts` (4,) carries over from block to block: tokens and sentences so far, tokens
    of the current sentence, sentences of the current document. Returns the used lengths of the
    last three arrays.
    """
    tokens_before, sentences_before, sentence_length, document_length = counts
    token_count = sentence_count = document_count = 0
    for i in range(numbers.shape[0]):
        if numbers[i] >= 0:
            if indices[numbers[i]] >= 0:
                tokens[token_count] = indices[numbers[i]]
                token_count += 1
                sentence_length += 1
            continue
        if sentence_length > 0:
            starts[sentence_count] = tokens_before + token_count
            sentence_count += 1
            document_length += 1
            sentence_length = 0
        if numbers[i] == DOCUMENT_END and document_length > 0:
            documents[document_count] = sentences_before + sentence_count
            document_count += 1
            document_length = 0
    counts[:] = (
        tokens_before + token_count,
        sentences_before + sentence_count,
        sentence_length,
        document_length,
    )
    return token_count, sentence_count, document_count
