"""Reference implementation of tokens and sentences: slow and obvious, on a whole text."""

import re
import unicodedata
from collections import Counter
from itertools import pairwise

LINE = "\n\r\u2028\u2029"
ENDS = ".!?…‼⁇⁈⁉‽\u037e؟۔।॥։።፧။។៕᠃．｡。！？"
FULL = "｡。！？"
CLOSES = "\"'”’»›)]}」』）］｝】〉》〕〗"
UNREAD = dict.fromkeys([0xAD, 0xFEFF, *range(0xFE00, 0xFE10)])
ABBREVIATIONS = (
    " adm brig capt cmdr col cpl cpt dr fr gen gov hon lt maj messrs mgr mlle mme mr mrs ms mt "
    "prof rep rev sen sgt st ste supt cf eg ie op viz vs "
)
BEFORE_NUMBERS = (
    " al app art bd ca ch chap cit eq fig figs fol lib no nos nr p par pp pt sec sect tab vol vols "
    "jan feb mar apr jun jul aug sep sept oct nov dec "
)

# Over the letters that `codes` gives.
WORD = re.compile("(?:LM*(?:A(?=L))?|DM*(?:P(?=D))?)+")
TOKEN = re.compile(f"[^S{LINE}]+")
RUN = re.compile("[LD][LDM]*")
EMPTY_LINE = re.compile(f"(?:\r\n|\r(?!\n)|[\n\u2028\u2029])S*[{LINE}]")
# Over the text.
END = re.compile(f"[{re.escape(ENDS)}][{re.escape(ENDS + CLOSES)}]*")


def codes(text):
    """L letter, D digit, M mark, A apostrophe, P point or comma, S space, O other; line ends."""
    return "".join(map(_code, text))


def _code(character):
    if character in LINE:
        return character
    if character.isspace():
        return "S"
    if character.isdecimal():
        return "D"
    if character.isalnum() or character == "\ufffd":
        return "L"
    if character in "'’\u200c\u200d":
        return "A"
    if character in ".,":
        return "P"
    return "M" if unicodedata.category(character)[0] == "M" else "O"


def read(documents, steps):
    """The documents as lists of sentences, the vocabulary, how many tokens were left out."""
    texts = [sentences_of(text.removeprefix("\ufeff"), steps) for text in documents]
    sentences = [sentence for text in texts for sentence in text]
    counts = Counter(word for sentence in sentences for word in sentence if fits(word, steps))
    kept = sorted(
        (w for w in counts if counts[w] >= steps.min_count), key=lambda w: (-counts[w], w)
    )
    kept = kept[: steps.limit]
    known = set(kept)
    left = [[[word for word in each if word in known] for each in text] for text in texts]
    left = [[sentence for sentence in text if sentence] for text in left]
    left_out = sum(map(len, sentences)) - sum(len(each) for text in left for each in text)
    return [text for text in left if text], kept, left_out


def fits(word, steps):
    """Whether the word is in the vocabulary."""
    good = not any(c < " " or c == "\x7f" for c in word)
    return good and len(word) >= steps.min_length and len(word.encode()) <= 1024


def sentences_of(text, steps):
    """The original tokens of a document, in sentences."""
    if steps.tokens == "words":
        text = text.translate(UNREAD)
    coded = codes(text)
    pattern = WORD if steps.tokens == "words" else TOKEN
    spans = [match.span() for match in pattern.finditer(coded)]
    opening = openings(text, coded, spans, steps)
    sentences = [[]]
    for begin, end in spans:
        if begin in opening:
            sentences.append([])
        sentences[-1].append(written(text[begin:end], steps))
    return sentences


def written(token, steps):
    """A token after the steps that change its letters."""
    if steps.tokens == "words":
        token = token.replace("’", "'")
    if steps.digits == "zero":
        token = "".join("0" if c.isdecimal() else c for c in token)
    if steps.lower:
        token = token.lower()
    return "7" if steps.digits == "seven" and len(token) == 1 and token.isdecimal() else token


def openings(text, coded, spans, steps):
    """The positions of tokens that begin a sentence."""
    pairs = list(pairwise(spans))
    if steps.sentences == "documents":
        return set()
    if steps.sentences == "lines":
        return {right[0] for left, right in pairs if set(text[left[1] : right[0]]) & set(LINE)}
    blank = {right[0] for left, right in pairs if EMPTY_LINE.search(coded, left[1], right[0])}
    if steps.tokens == "words":
        return blank | openings_of_words(text, coded)
    return openings_of_tokens(text, coded, spans, blank)


def openings_of_words(text, coded):
    """The positions where letters or digits follow an end mark and a space."""
    found = set()
    for left, right in pairwise(RUN.finditer(coded)):
        gap = text[left.end() : right.start()]
        meant, first = full_stop(text, left), right.start()
        marks = gap[1:] if meant == "none" else gap
        ended = re.search(END.pattern + r"\s", marks) or set(marks) & set(FULL)
        only = meant == "number" and not set(gap[1:]) & set(ENDS)
        if ended and not text[first].islower() and not (only and text[first].isdecimal()):
            found.add(first)
    return found


def full_stop(text, run):
    """The role of a full stop after a word: "none", "number" (unless one follows) or "end"."""
    word, before = text[run.start() : run.end()], text[run.start() - 1 : run.start()]
    if text[run.end() : run.end() + 1] != ".":
        return "end"
    single = len(word) == 1 and not word.isdecimal() and (word.isupper() or before == ".")
    if single or f" {word.lower()} " in ABBREVIATIONS:
        return "none"
    return "number" if f" {word.lower()} " in BEFORE_NUMBERS else "end"


def openings_of_tokens(text, coded, spans, blank):
    """The same for tokens with punctuation; punctuation alone begins one unless it closes."""
    found, pending = set(blank), ""
    for begin, end in spans:
        pending = "" if begin in blank else pending
        runs = list(RUN.finditer(coded, begin, end))
        lead = text[begin : runs[0].start() if runs else end]
        if pending and set(lead) & set(ENDS):
            pending = "end"
        if runs:
            first = text[runs[0].start()]
            if pending and not first.islower() and not (pending == "number" and first.isdecimal()):
                found.add(begin)
            pending = behind(text, runs[-1], end)
        elif pending and set(lead) - set(ENDS + CLOSES):
            found.add(begin)
            pending = ""
        elif not pending and re.search(END.pattern + "$", lead):
            pending = "end"
    return found


def behind(text, run, end):
    """The role of the punctuation at the end of a token."""
    meant, marks = full_stop(text, run), text[run.end() : end]
    marks = marks[1:] if meant == "none" else marks
    if not re.search(END.pattern + r"\Z", marks):
        return ""
    return "number" if meant == "number" and not set(marks[1:]) & set(ENDS) else "end"
