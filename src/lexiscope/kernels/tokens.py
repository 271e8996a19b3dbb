"""Running text, code point by code point, into tokens and sentences, and tokens into numbers.

A table says of each code point what is written for it (bits 0 to 20), its kind (21 to 24) and its
flags; 0 means that the table has not been filled there yet. What was begun at the end of a block
(a token, an apostrophe that may join two letters, a full stop that may end a sentence) waits in
`state`, so blocks may be cut anywhere.
"""

import numpy as np
from numba import njit

from lexiscope.kernels.simd import prefetch

KIND = 21
WRITTEN = (1 << KIND) - 1
SPACE, LINE, DOCUMENT, LETTER, DIGIT, MARK, OTHER, JOINS_LETTERS, JOINS_DIGITS, IGNORED = range(
    1, 11
)
LOWER, UPPER, ENDS, FULL, CLOSES, UNFIT = (1 << bit for bit in range(25, 31))

LONGEST = 1024  # characters of a token; longer ones are counted and dropped
BREAK, END = -1, -2  # in place of a token: a sentence ends; it and the document end

# Places in `state` that a caller looks at; FILLED to WRITTEN_ENDS say how much of `letters` is in
# use, where the last token and the last run of letters and digits began, how much `ends` holds.
SEEN, TOO_LONG, SPOILT, FILLED, BEGIN, RUN_BEGIN, WRITTEN_ENDS, STATE_SIZE = 0, 1, 2, 3, 4, 5, 6, 20

_FULL_STOP, _RETURN, _NEWLINE = 46, 13, 10
_NUMBER = 0xFFFFFFFF  # the bits of a slot that hold a word's number plus one


# One long loop: a call with arrays in it costs more than what is done for a character.
@njit(nogil=True, cache=True, boundscheck=False)
def cut(points, at, table, spaces, split, lines, abbreviations, numbered, state, letters, ends):
    """Cut text from `at` on into tokens; returns where it stopped.

    `spaces`: tokens are what stands between spaces, else they are words. `split` and `lines` say
    what ends a sentence besides a document. The characters of tokens go to `letters`, one token
    behind the other; `ends` gets the end of each token in there, BREAK where a sentence ends and
    END where a document does. It stops at the end or at a character that the table lacks.
    """
    seen, too_long, spoilt, filled, begin, run_begin, written, held, last, unfit = state[:10]
    opened, ended, unless_number, opener, run, capital, after_dot, dotted = state[10:18]
    blank, returned = state[18:]
    while at < points.shape[0]:
        entry = np.int64(table[points[at]])
        if entry == 0:
            break
        at += 1
        kind, point = (entry >> KIND) & 15, entry & WRITTEN
        if run and LETTER <= kind <= MARK:  # in the midst of a word: nothing to decide
            letters[filled] = point
            filled += 1
            last = last if kind == MARK else kind
            continue
        if kind == IGNORED:
            continue
        starts = kind == LETTER or kind == DIGIT

        if split and starts:
            # A sentence that has ended ends before this word, unless the word says otherwise.
            waits = entry & LOWER or (unless_number and kind == DIGIT)
            if ended == 2 and opened and not waits:
                ends[written] = BREAK
                written += 1
                opened = 0
            ended = opener = 0
            capital, after_dot = np.int64(entry & UPPER != 0), dotted
        elif split and entry & ENDS:
            meant = 1
            if point == _FULL_STOP and run:
                short = last == LETTER and (capital or after_dot)
                meant = _full_stop(letters[run_begin:filled], short, abbreviations, numbered)
            unless_number = np.int64(meant == 2)
            ended = 0 if meant == 0 else 2 if entry & FULL else max(ended, 1)
        elif split and kind <= DOCUMENT:
            if opener and opened:  # a token of marks that open something
                ends[written] = BREAK
                written += 1
                opened = 0
            ended = 2 if ended and not opener else 0
            opener = 0
        elif split and not entry & CLOSES:
            opener = np.int64(spaces and ended == 2)
            ended = 2 if ended == 2 else 0
        run = np.int64(starts)
        dotted = np.int64(point == _FULL_STOP)

        inside = kind > DOCUMENT if spaces else starts
        joins = held != 0 and kind == last
        holds = (kind == JOINS_LETTERS and last == LETTER) or (
            kind == JOINS_DIGITS and last == DIGIT
        )
        holds = holds and not inside and held == 0 and filled > begin
        if filled > begin and not holds and (held != 0 and not joins if inside else True):
            seen += 1
            if filled - begin > LONGEST:
                too_long += 1
                filled = begin
            elif unfit:
                spoilt += 1
                filled = begin
            else:
                ends[written] = filled
                written += 1
                opened = 1
            begin = filled
            unfit = 0
        if joins:
            letters[filled] = held
            filled += 1
        held = point if holds else 0
        if starts:
            run_begin = filled
        if inside:
            letters[filled] = point
            filled += 1
            last = kind
            unfit |= entry & UNFIT

        if kind == LINE or kind == DOCUMENT:
            second = returned and point == _NEWLINE  # one line end, written with two characters
            if kind == DOCUMENT or lines or (split and blank and not second):
                if kind == DOCUMENT:
                    ends[written] = END
                    written += 1
                elif opened:
                    ends[written] = BREAK
                    written += 1
                opened = ended = opener = 0
            blank, returned = np.int64(1), np.int64(point == _RETURN)
        else:
            blank &= np.int64(kind == SPACE)
            returned = 0
    state[:10] = seen, too_long, spoilt, filled, begin, run_begin, written, held, last, unfit
    state[10:18] = opened, ended, unless_number, opener, run, capital, after_dot, dotted
    state[18:] = blank, returned
    return at


@njit(nogil=True, cache=True, boundscheck=False)
def _full_stop(run, short, abbreviations, numbered):
    """What a full stop behind a word means: 0 no end, 1 an end, 2 an end unless a number follows.

    `short`: if the word has one letter only, it is an initial or part of an abbreviation.
    """
    key = np.int64(0)
    for i in range(min(run.shape[0], 8)):
        # Abbreviations are of a-z: anything else makes the key unlike all of them.
        lower = np.int64(run[i]) | 32
        key = (key << 8) | (lower if 97 <= lower <= 122 else 255)
    if (short and run.shape[0] == 1) or _holds(abbreviations, key):
        return 0
    return 2 if _holds(numbered, key) else 1


@njit(nogil=True, cache=True, boundscheck=False)
def _holds(keys, key):
    place = np.searchsorted(keys, key)
    return place < keys.shape[0] and keys[place] == key


@njit(nogil=True, cache=True, boundscheck=False)
def keys_of(letters, ends, keys):
    """Write the hash of each token."""
    begin = 0
    for at in range(ends.shape[0]):
        keys[at] = 0
        if ends[at] >= 0:
            keys[at] = _key(letters, begin, ends[at])
            begin = ends[at]


@njit(nogil=True, cache=True, boundscheck=False)
def number(letters, ends, keys, at, begin, words, slots, book, arena):
    """Put the number of each token in place of its end, from `at` on; returns where it stopped.

    New words are numbered as they come: word `w` is arena[book[w, 0]:book[w + 1, 0]] and was seen
    book[w, 1] times. `slots` is a hash table with open addresses; a slot in use holds 31 bits of
    the hash and the number plus one. It stops at the end or when book or arena are full; the
    second and third numbers are where the next token begins and how many words there are.
    """
    mask, filled, entries = slots.shape[0] - 1, book[words, 0], book.reshape(-1)
    while at < ends.shape[0]:
        if at + 16 < ends.shape[0]:  # memory is slow: ask early for slot, entry and letters
            prefetch(slots, keys[at + 16] & mask)
            prefetch(entries, 2 * (slots[keys[at + 8] & mask] & _NUMBER) - 2)
            soon = (slots[keys[at + 4] & mask] & _NUMBER) - 1
            prefetch(arena, book[max(soon, 0), 0])
        end = ends[at]
        if end < 0:
            at += 1
            continue
        slot, tag, word = keys[at] & mask, _tag(keys[at]), np.int64(-1)
        while slots[slot] != 0:
            if slots[slot] & ~_NUMBER == tag:
                word = (slots[slot] & _NUMBER) - 1
                other, same = book[word, 0], book[word + 1, 0] - book[word, 0] == end - begin
                for i in range(end - begin if same else 0):
                    same = same and arena[other + i] == letters[begin + i]
                if same:
                    break
                word = np.int64(-1)
            slot = (slot + 1) & mask
        if word < 0:
            if words + 2 > book.shape[0] or filled + end - begin > arena.shape[0]:
                break
            word = words
            words += 1
            slots[slot] = tag | words
            for i in range(begin, end):
                arena[filled] = letters[i]
                filled += 1
            book[words, 0] = filled
        book[word, 1] += 1
        ends[at] = word
        begin = end
        at += 1
    return at, begin, words


@njit(nogil=True, cache=True, boundscheck=False)
def rehash(words, slots, book, arena):
    """Fill empty slots with all words."""
    mask = slots.shape[0] - 1
    for word in range(words):
        key = _key(arena, book[word, 0], book[word + 1, 0])
        slot = key & mask
        while slots[slot] != 0:
            slot = (slot + 1) & mask
        slots[slot] = _tag(key) | (word + 1)


@njit(nogil=True, cache=True, boundscheck=False)
def _key(letters, begin, end):
    key = np.int64(-3750763034362895579)
    for i in range(begin, end):
        key = (key ^ np.int64(letters[i])) * 1099511628211
    key = (key ^ (key >> 32)) * -7046029254386353131
    return key ^ (key >> 29)


@njit(nogil=True, cache=True, boundscheck=False)
def _tag(key):
    return ((key >> 32) & 0x7FFFFFFF) << 32


@njit(nogil=True, cache=True, boundscheck=False)
def renumber(numbers, places, before, tokens, starts, documents):
    """Give the words of a block their final places, dropping those at -1 and what becomes empty.

    `before` is kept from block to block: tokens and sentences so far, tokens of the sentence and
    sentences of the document that are still open. Returns how much of the last three was written.
    """
    first, told, length, since = before
    written = sentences = ended = 0
    for i in range(numbers.shape[0]):
        if numbers[i] >= 0:
            if places[numbers[i]] >= 0:
                tokens[written] = places[numbers[i]]
                written += 1
                length += 1
            continue
        if length > 0:
            starts[sentences] = first + written
            sentences += 1
            since += 1
            length = 0
        if numbers[i] == END and since > 0:
            documents[ended] = told + sentences
            ended += 1
            since = 0
    before[:] = first + written, told + sentences, length, since
    return written, sentences, ended
