"""Hostile files: the error is one sentence that says what is wrong."""

import bz2
import gzip
import lzma
import os
import struct
import tracemalloc
import zipfile
from typing import Any, NamedTuple

import numpy as np
import pytest

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, TooLarge, UnsafeFormat
from lexiscope.data import archives as unpacking
from lexiscope.data.vectors import load
from tests.data.vectors.vector_files import (
    binary,
    described,
    listing,
    native,
    npy,
    npy_header,
    npz,
    record,
    sparse_native,
    tensors,
    wink,
    with_flags,
    zipped,
)

GOOD = b"cat 1 2\ndog 3 4\n"


class Hostile(NamedTuple):
    """A file and a fragment of the expected error message."""

    id: str
    name: str
    content: Any
    fragment: str
    error: type[LexiscopeError] = BadData
    words: Any = None  # the word list of an .npy file


PAIR = np.ones((2, 3), np.float32)
WORDS = np.array(["cat", "dog"])
NOT_FINITE = np.array([[1, 2], [np.nan, 4]], np.float32)

HEADERS = [
    Hostile("too many rows", "v.vec", b"99999999999 300\n" + GOOD, "must be 1 to 50,000,000"),
    Hostile("more rows than digits", "v.vec", b"9" * 80 + b" 2\n" + GOOD, "must be 1 to"),
    Hostile("too many dimensions", "v.vec", b"1 9999999999\n" + GOOD, "must be 1 to 65,536"),
    Hostile(
        "most rows and dimensions", "v.vec", b"50000000 65536\n" + GOOD, "which needs at least"
    ),
    Hostile("negative rows", "v.vec", b"-2 2\n" + GOOD, ":1: the header announces -2 words"),
    Hostile(
        "negative dimensions", "v.vec", b"2 -2\n" + GOOD, ":1: the header announces -2 dimensions"
    ),
    Hostile("zero rows", "v.vec", b"0 2\n" + GOOD, ":1: the header announces 0 words"),
    Hostile("zero dimensions", "v.vec", b"2 0\n" + GOOD, ":1: the header announces 0 dimensions"),
    Hostile(
        "float header",
        "v.vec",
        b"2.0 2.0\n" + GOOD,
        ":1: expected 2 numbers after the word, found 1",
    ),
    Hostile("missing rows", "v.vec", b"3 2\n" + GOOD, "announces 3 words, found 2 lines"),
    Hostile("surplus rows", "v.vec", b"1 2\n" + GOOD, "announces 1 words, found 2 lines"),
    Hostile("rows that cannot fit", "v.vec", b"9000 2\n" + GOOD, "only 17 follow"),
    Hostile("dimension too large", "v.vec", b"2 3\n" + GOOD, ":2: the header announces 3 numbers"),
    Hostile("dimension too small", "v.vec", b"2 1\n" + GOOD, ":2: the header announces 1 numbers"),
    Hostile(
        "dimension of one",
        "v.vec",
        b"2 3\nelephant 1\ndog 2\n",
        ":2: the header announces 3 numbers",
    ),
    Hostile("only a header", "v.vec", b"2 3\n", "The file is truncated or its header is wrong"),
    Hostile("endless first line", "v.vec", b"7" * 10_000_000, ":1: no line ends within"),
    Hostile("endless second line", "v.vec", b"cat 1\n" + b"7" * 6_000_000, "no line ends within"),
    Hostile(
        "wide row",
        "v.vec",
        b"cat" + b" 1" * 65_537 + b"\n",
        "65,537 numbers; the maximum is 65,536",
    ),
    Hostile("packed header lies", "v.gz", gzip.compress(b"40000000 2\n" + GOOD), "found 2 lines"),
    Hostile(
        "packed width lies", "v.gz", gzip.compress(b"2 60000\n" + GOOD), ":2: the header announces"
    ),
    Hostile(
        "binary rows", "v.bin", binary(record(b"a", 1, 2), header=b"49999999 2\n"), "only 10 follow"
    ),
    Hostile(
        "binary width", "v.bin", binary(record(b"a", 1, 2), header=b"1 60000\n"), "only 10 follow"
    ),
    Hostile(
        "binary too wide",
        "v.bin",
        binary(record(b"a", 1, 2), header=b"1 70000\n"),
        "must be 1 to 65,536",
    ),
    Hostile(
        "binary negative",
        "v.bin",
        binary(record(b"a", 1, 2), header=b"-1 2\n"),
        "announces -1 words",
    ),
    Hostile(
        "binary zero",
        "v.bin",
        binary(record(b"a", 1, 2), header=b"1 0\n"),
        "announces 0 dimensions",
    ),
]

BOMBS = [
    Hostile("gz of zeros", "v.gz", lambda: gzip.compress(bytes(1 << 22), 1) * 99, "no line ends"),
    Hostile(
        "gz of rows",
        "v.gz",
        lambda: gzip.compress(b"cat 1 2\n" * (1 << 18)) * 500,
        "compressed bytes",
        TooLarge,
    ),
    Hostile(
        "gz of long rows",
        "v.gz",
        lambda: gzip.compress(b"a" + b" 0" * 9999 + b"\n" + b"b" * (1 << 20)) * 999,
        "compressed bytes",
        TooLarge,
    ),
    Hostile(
        "bz2 of rows",
        "v.bz2",
        lambda: bz2.compress(b"cat 1 2\n" * (1 << 18)) * 500,
        "compressed bytes",
        TooLarge,
    ),
    Hostile(
        "xz of rows",
        "v.xz",
        lambda: lzma.compress(b"cat 1 2\n" * (1 << 18)) * 500,
        "compressed bytes",
        TooLarge,
    ),
    Hostile(
        "zip of rows",
        "v.zip",
        lambda: zipped(v__txt=b"cat 1 2\n" * (1 << 22)),
        "compressed bytes",
        TooLarge,
    ),
    Hostile(
        "zip by bzip2",
        "v.zip",
        lambda: zipped(zipfile.ZIP_BZIP2, v__txt=bytes(1 << 24)),
        "uses a rare compression",
    ),
    Hostile(
        "zip by lzma",
        "v.zip",
        lambda: zipped(zipfile.ZIP_LZMA, v__txt=bytes(1 << 24)),
        "uses a rare compression",
    ),
    Hostile(
        "npz of zeros",
        "v.npz",
        lambda: npz(words=WORDS, vectors=np.zeros((2, 1 << 22), np.float32)),
        "compressed bytes",
        TooLarge,
    ),
    Hostile(
        "npy of zeros",
        "v.npy.gz",
        lambda: gzip.compress(npy(np.zeros((2, 1 << 22), np.float32)), 1),
        "compressed bytes",
        TooLarge,
    ),
    Hostile(
        "empty rows",
        "v.txt",
        lambda: b"cat" + b" 1" * 60_000 + b"\n" * 900_000,
        ":2: the line is empty",
    ),
    Hostile(
        "10,001 members",
        "v.zip",
        lambda: listing(10_001, 10_001),
        "more than 10,000 files",
        TooLarge,
    ),
    Hostile(
        "hidden members", "v.zip", lambda: listing(1_000_000, 1), "more than 10,000 files", TooLarge
    ),
]

ARCHIVES = [
    Hostile("cut gz", "v.gz", gzip.compress(GOOD * 99)[:-20], "broken or truncated"),
    Hostile(
        "broken gz", "v.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\0" + b"\xff" * 50, "broken or truncated"
    ),
    Hostile("gz with a tail", "v.gz", gzip.compress(GOOD) + b"tail", "broken or truncated"),
    Hostile("gz with a wrong sum", "v.gz", gzip.compress(GOOD)[:-8] + bytes(8), "CRC check failed"),
    Hostile("gz of an unknown method", "v.gz", b"\x1f\x8b\x09" + bytes(20), "Unknown compression"),
    Hostile("cut bz2", "v.bz2", bz2.compress(GOOD * 99)[:-9], "broken or truncated"),
    Hostile("broken bz2", "v.bz2", b"BZh91AY&SY" + b"\xff" * 50, "broken or truncated"),
    Hostile("cut xz", "v.xz", lzma.compress(GOOD * 99)[:-9], "broken or truncated"),
    Hostile("broken xz", "v.xz", b"\xfd7zXZ\0" + b"\xff" * 50, "broken or truncated"),
    Hostile("gz of nothing", "v.gz", gzip.compress(b""), "is empty"),
    Hostile("gz of gz", "v.gz", gzip.compress(gzip.compress(GOOD)), "is compressed twice"),
    Hostile("gz of zip", "v.gz", gzip.compress(zipped(v__txt=GOOD)), "is an archive in an archive"),
    Hostile("cut zip", "v.zip", zipped(v__txt=GOOD)[:-30], "is truncated"),
    Hostile(
        "broken zip",
        "v.zip",
        zipped(v__txt=GOOD * 99).replace(b"PK\x01\x02", b"PK\x07\x07"),
        "is broken",
    ),
    Hostile(
        "zip with broken content",
        "v.zip",
        zipped(zipfile.ZIP_STORED, v__txt=GOOD).replace(b"dog", b"dig", 1),
        "Bad CRC-32",
    ),
    Hostile("empty zip", "v.zip", zipped(), "contains 0 files"),
    Hostile("zip with several files", "v.zip", zipped(a=GOOD, b=GOOD), "Select one with"),
    Hostile("encrypted zip", "v.zip", with_flags(zipped(a=GOOD), 1), "is encrypted"),
    Hostile(
        "zip with a strange name",
        "v.zip",
        with_flags(zipped(aa=GOOD).replace(b"aa", b"\xff\xff"), 0x800),
        "is broken",
    ),
    Hostile(
        "zip of another age",
        "v.zip",
        zipped(a=GOOD).replace(b"PK\x01\x02\x14\x03\x14", b"PK\x01\x02\x14\x03\xff"),
        "is broken",
    ),
    Hostile(
        "zip with an unknown method",
        "v.zip",
        zipped(a=GOOD).replace(b"\x08\0", b"\x63\0"),
        "uses a rare compression",
    ),
    Hostile("zip of an empty file", "v.zip", zipped(v__txt=b""), "is empty"),
    Hostile(
        "tar in gz",
        "v.tar.gz",
        gzip.compress(b"v.txt".ljust(257, b"\0") + b"ustar" + bytes(250)),
        "is a tar archive",
    ),
]

ROWS = [
    Hostile("empty file", "v.vec", b"", "is empty; give a vector file"),
    Hostile("blank file", "v.vec", b"\n\n\n", ":1: expected a word and numbers"),
    Hostile(
        "prose", "v.txt", b"It was a dark\nand stormy night.\n", ":1: expected a word and numbers"
    ),
    Hostile("random bytes", "v.vec", bytes(range(128, 256)) * 9, ":1: expected a word and numbers"),
    Hostile("nan", "v.vec", GOOD + b"sun nan 1\n", ":3: 'nan' is not a finite number"),
    Hostile("infinity", "v.vec", GOOD + b"sun 1 -inf\n", ":3: '-inf' is not a finite number"),
    Hostile("overflow", "v.vec", GOOD + b"sun 1 1e39\n", ":3: '1e39' is not a finite number"),
    Hostile(
        "overflow of doubles",
        "v.vec",
        GOOD + b"sun 1e999 1\n",
        ":3: '1e999' is not a finite number",
    ),
    Hostile(
        "row too short",
        "v.vec",
        GOOD + b"sun 1\n",
        ":3: expected 2 numbers after the word, found 1",
    ),
    Hostile(
        "row too long",
        "v.vec",
        GOOD + b"sun 1 2 3\n",
        ":3: expected 2 numbers after the word, found 3",
    ),
    Hostile(
        "cut row", "v.vec", b"2 2\ncat 1 2\ndog 3", ":3: expected 2 numbers after the word, found 1"
    ),
    Hostile(
        "only a word", "v.vec", GOOD + b"sun\n", ":3: expected 2 numbers after the word, found 0"
    ),
    Hostile("no number", "v.vec", GOOD + b"sun 1 1,5\n", "found 0 and '1,5'"),
    Hostile("hidden number", "v.vec", GOOD + b"sun 1 1_5\n", "found 0 and '1_5'"),
    Hostile("spaces at the end", "v.vec", GOOD + b"sun 1 \t2 \t\n", "found 0 and '\ufffd2'"),
    Hostile("no word", "v.vec", GOOD + b" 1 2\n", ":3: there is no word before the numbers"),
    Hostile("only spaces for a word", "v.vec", GOOD + b"   1 2\n", ":3: there is no word"),
    Hostile("blank line", "v.vec", b"cat 1 2\n\ndog 3 4\n", ":2: the line is empty"),
    Hostile("blank last line", "v.vec", GOOD + b"\n", ":3: the line is empty"),
    Hostile(
        "control character",
        "v.vec",
        GOOD + b"s\x1b[2Jn 1 2\n",
        ":3: control characters in the word 's\ufffd[2Jn'",
    ),
    Hostile("nul", "v.vec", GOOD + b"s\0n 1 2\n", ":3: control characters in the word"),
    Hostile("delete", "v.vec", GOOD + b"s\x7fn 1 2\n", ":3: control characters in the word"),
    Hostile("tab in a word", "v.vec", GOOD + b"s\tn 1 2\n", ":3: control characters in the word"),
    Hostile(
        "return in a word", "v.vec", GOOD + b"s\rn 1 2\n", ":3: control characters in the word"
    ),
    Hostile("long word", "v.vec", GOOD + b"s" * 1025 + b" 1 2\n", ":3: a word of 1,025 bytes"),
    Hostile(
        "latin-1",
        "v.vec",
        GOOD + "été 1 2\n".encode("latin-1"),
        ":3: the word is not UTF-8 (byte 0xe9 at its byte 1)",
    ),
    Hostile(
        "surrogate",
        "v.vec",
        GOOD + b"a\xed\xa0\x80 1 2\n",
        ":3: the word is not UTF-8 (byte 0xed at its byte 2)",
    ),
    Hostile("overlong form", "v.vec", GOOD + b"a\xc0\x80 1 2\n", ":3: the word is not UTF-8"),
    Hostile(
        "character across words", "v.vec", b"a\xc3 1 2\n\xa9b 3 4\n", ":1: the word is not UTF-8"
    ),
    Hostile("old line ends", "v.vec", b"cat 1 2\rdog 3 4\r", "v.vec:1:"),
]

A, B = record(b"cat", 1, 2), record(b"dog", 3, 4)
RECORDS = [
    Hostile(
        "cut record", "v.bin", binary(A, B, record(b"elephant", 1, 2))[:-9], "ends within word 3"
    ),
    Hostile("cut word", "v.bin", binary(A, B, b"elephant" * 3), "ends within word 3"),
    Hostile(
        "surplus record",
        "v.bin",
        binary(A, B, header=b"1 2\n"),
        "bytes after the last of the 1 words",
    ),
    Hostile(
        "surplus without newlines",
        "v.bin",
        binary(*[A] * 99, header=b"90 2\n"),
        "bytes after the last of the 90 words",
    ),
    Hostile("one byte behind", "v.bin", binary(A, B) + b"x", "bytes after the last of the 2 words"),
    Hostile(
        "packed surplus",
        "v.bin.gz",
        gzip.compress(binary(A, B, header=b"1 2\n")),
        "bytes after the last",
    ),
    Hostile(
        "packed cut record", "v.bin.gz", gzip.compress(binary(A, B)[:-1]), "ends within word 2"
    ),
    Hostile(
        "nothing but a cut record",
        "v.bin.gz",
        gzip.compress(b"1 2\nc\0"),
        "ends within the first word",
    ),
    Hostile(
        "binary nan",
        "v.bin",
        binary(A, record(b"sun", np.nan, 1)),
        "byte 16: the vector of this word",
    ),
    Hostile(
        "binary infinity",
        "v.bin",
        binary(A, record(b"sun", 1, -np.inf)),
        "byte 16: the vector of this word",
    ),
    Hostile(
        "word without end",
        "v.bin",
        binary(A, b"\1" * 5000),
        "byte 16: word 2 of 2 has no space within 1,024 bytes",
    ),
    Hostile(
        "binary latin-1",
        "v.bin",
        binary(A, record(b"\xe9t\xe9", 1, 2)),
        "byte 16: the word is not UTF-8",
    ),
    Hostile(
        "character across records",
        "v.bin",
        binary(record(b"a\xc3", 1, 2), record(b"\xa9b", 3, 4)),
        "byte 4: the word is not UTF-8",
    ),
    Hostile(
        "binary control", "v.bin", binary(A, record(b"s\x07n", 1, 2)), "byte 16: control characters"
    ),
    Hostile("binary nul", "v.bin", binary(A, record(b"\0", 1, 2)), "byte 16: control characters"),
    Hostile(
        "binary without a word", "v.bin", binary(A, record(b"", 1, 2)), "byte 16: there is no word"
    ),
]

NUMPY = [
    Hostile(
        "npy of objects",
        "v.npy",
        npy(np.array([{}]), pickled=True),
        "contains pickled objects",
        UnsafeFormat,
    ),
    Hostile(
        "npy with an object field",
        "v.npy",
        npy_header("{'descr': [('a', '|O')], 'fortran_order': False, 'shape': (1,)}", bytes(8)),
        "contains pickled objects",
        UnsafeFormat,
    ),
    Hostile("npy without a list", "v.npy", npy(PAIR), "the same folder, named v.words"),
    Hostile(
        "npy with a short list",
        "v.npy",
        npy(PAIR),
        "2 vectors, but its word list has 1",
        words=b"cat\n",
    ),
    Hostile("npy with a long list", "v.npy", npy(PAIR), "has 3 words", words=b"cat\ndog\nsun\n"),
    Hostile("npy with an empty list", "v.npy", npy(PAIR), "has 1 words", words=b""),
    Hostile(
        "npy with a blank word", "v.npy", npy(PAIR), "row 2: the word is empty", words=b"cat\n\n"
    ),
    Hostile(
        "npy list not UTF-8",
        "v.npy",
        npy(PAIR),
        "row 2: bytes that are not UTF-8",
        words=b"cat\nd\xe9g\n",
    ),
    Hostile(
        "npy list with controls",
        "v.npy",
        npy(PAIR),
        "row 2: control characters",
        words=b"cat\nd\x07g\n",
    ),
    Hostile(
        "npy with nan",
        "v.npy",
        npy(NOT_FINITE),
        "row 2: the vector of 'dog' is not finite",
        words=b"cat\ndog\n",
    ),
    Hostile(
        "npy that overflows",
        "v.npy",
        npy(np.array([[1e300], [1]])),
        "row 1: the vector of 'cat' is not finite",
        words=b"cat\ndog\n",
    ),
    Hostile("npy of one axis", "v.npy", npy(np.ones(2)), "found 1 axes", words=b"cat\ndog\n"),
    Hostile(
        "npy of three axes", "v.npy", npy(np.ones((2, 2, 2))), "found 3 axes", words=b"cat\ndog\n"
    ),
    Hostile("npy of no axes", "v.npy", npy(np.float32(1)), "found 0 axes", words=b"cat\n"),
    Hostile(
        "npy of complex numbers",
        "v.npy",
        npy(np.ones((2, 2), complex)),
        "2 axes of complex128",
        words=b"cat\ndog\n",
    ),
    Hostile(
        "npy of text",
        "v.npy",
        npy(np.array([["1"], ["2"]])),
        "expected a table of numbers",
        words=b"cat\ndog\n",
    ),
    Hostile(
        "npy of nothing", "v.npy", npy(np.ones((0, 3))), "is empty or truncated, or its header"
    ),
    Hostile("cut npy", "v.npy", npy(PAIR)[:-1], "24 bytes, found 23"),
    Hostile("npy with a tail", "v.npy", npy(PAIR) + b"x", "24 bytes, found 25"),
    Hostile(
        "npy rows lie", "v.npy", npy_header(described("(99999999999, 300)"), bytes(24)), "found 24"
    ),
    Hostile(
        "npy beyond all bounds",
        "v.npy",
        npy_header(described("(" + "9" * 99 + ", 3)"), bytes(24)),
        "found 24",
    ),
    Hostile("npy negative", "v.npy", npy_header(described("(-2, -3)"), bytes(24)), "(-2, -3)"),
    Hostile(
        "npy of nothing a thousand times",
        "v.npy",
        npy_header(described("(1000000000000000,)", "|S0")),
        "0 bytes, found 0",
    ),
    Hostile(
        "npy with code",
        "v.npy",
        npy_header("__import__('os').system('true')"),
        "the .npy header is broken",
    ),
    Hostile(
        "npy with a list for a header", "v.npy", npy_header("[1, 2]"), "the .npy header is broken"
    ),
    Hostile("npy with a deep header", "v.npy", npy_header("(" * 9000), "the .npy header is broken"),
    Hostile(
        "npy with an open bracket",
        "v.npy",
        npy_header("{'descr': (", version=b"\x02\0"),
        "the .npy header is broken",
    ),
    Hostile(
        "npy with a strange type",
        "v.npy",
        npy_header(described("(2, 3)", "<q9")),
        "the .npy header is broken",
    ),
    Hostile(
        "npy header without end",
        "v.npy",
        b"\x93NUMPY\x02\0\xff\xff\xff\xff{",
        "the .npy header is broken",
    ),
    Hostile("npy cut in its header", "v.npy", npy(PAIR)[:7], "the .npy header is broken"),
    Hostile("packed npy", "v.npy.gz", gzip.compress(npy(PAIR)[:-3]), "found 21"),
    Hostile(
        "npz of objects",
        "v.npz",
        zipped(v__npy=npy(np.array([{}]), pickled=True)),
        "contains pickled objects",
        UnsafeFormat,
    ),
    Hostile(
        "npz without words",
        "v.npz",
        npz(vectors=PAIR),
        "expected one table of vectors and one list of words",
    ),
    Hostile("npz without vectors", "v.npz", npz(words=WORDS), "expected one table of vectors"),
    Hostile(
        "npz with two tables",
        "v.npz",
        npz(a=PAIR, b=PAIR, words=WORDS),
        "expected one table of vectors",
    ),
    Hostile(
        "npz with fewer words",
        "v.npz",
        npz(vectors=PAIR, words=WORDS[:1]),
        "2 vectors, but 1 words",
    ),
    Hostile(
        "npz with nan",
        "v.npz",
        npz(vectors=NOT_FINITE, words=WORDS),
        "the vector of 'dog' is not finite",
    ),
    Hostile(
        "npz not UTF-8",
        "v.npz",
        npz(vectors=PAIR, words=np.array([b"cat", b"\xff"])),
        "row 2: bytes that are not UTF-8",
    ),
    Hostile(
        "npz with an empty word",
        "v.npz",
        npz(vectors=PAIR, words=np.array(["cat", ""])),
        "row 2: the word is empty",
    ),
    Hostile(
        "npz with a control",
        "v.npz",
        npz(vectors=PAIR, words=np.array(["cat", "a\0b"])),
        "row 2: control characters",
    ),
    Hostile(
        "npz with a long word",
        "v.npz",
        npz(vectors=PAIR, words=np.array(["cat", "é" * 513])),
        "row 2: a word of more than 1,024 bytes",
    ),
    Hostile(
        "npz with a lying member",
        "v.npz",
        zipped(v__npy=npy_header(described("(9999999999, 9)"))),
        "v.npz#v.npy: the header announces",
    ),
    Hostile(
        "npz with a broken member",
        "v.npz",
        zipped(v__npy=npy(PAIR).replace(b"NUMPY", b"NUMPX")),
        "v.npz#v.npy: the .npy header is broken",
    ),
    Hostile(
        "encrypted npz", "v.npz", with_flags(npz(vectors=PAIR, words=WORDS), 1), "is encrypted"
    ),
    Hostile("cut npz", "v.npz", npz(vectors=PAIR, words=WORDS)[:-40], "is truncated"),
    Hostile(
        "packed npz that is none",
        "v.npz.gz",
        gzip.compress(npz(vectors=PAIR, words=WORDS)[:-40]),
        "is truncated",
    ),
]

LOOSE = {"weight": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}}
NATIVE = [
    Hostile(
        "safetensors of others",
        "v.safetensors",
        tensors(LOOSE, bytes(8)),
        "without words (it contains weight)",
    ),
    Hostile(
        "broken header",
        "v.safetensors",
        tensors(b"{not json at all}"),
        "the safetensors file is broken",
    ),
    Hostile(
        "header past the end",
        "v.safetensors",
        struct.pack("<Q", 9999) + b"{}",
        "the safetensors file is broken",
    ),
    Hostile(
        "deep header", "v.safetensors", tensors(b'{"a":' * 3000), "the safetensors file is broken"
    ),
    Hostile("cut tensors", "v.safetensors", native()[:-1], "the safetensors file is broken"),
    Hostile("surplus bytes", "v.safetensors", native() + b"x", "the safetensors file is broken"),
    Hostile("falling ends", "v.safetensors", native(ends=(6, 3)), "the word list is damaged"),
    Hostile("equal ends", "v.safetensors", native(ends=(6, 6)), "the word list is damaged"),
    Hostile("negative ends", "v.safetensors", native(ends=(-3, 6)), "the word list is damaged"),
    Hostile(
        "ends past the words", "v.safetensors", native(ends=(3, 7)), "the word list is damaged"
    ),
    Hostile(
        "ends before the words do", "v.safetensors", native(ends=(2, 5)), "the word list is damaged"
    ),
    Hostile(
        "overflowing ends", "v.safetensors", native(ends=(-(2**63), 6)), "the word list is damaged"
    ),
    Hostile(
        "no words",
        "v.safetensors",
        native(words=b"", ends=(), vectors=np.ones((0, 2))),
        "the word list is damaged",
    ),
    Hostile(
        "words not UTF-8", "v.safetensors", native(words=b"catd\xffg"), "the word list is damaged"
    ),
    Hostile(
        "character across our words",
        "v.safetensors",
        native(words=b"ca\xc3\xa9og"),
        "the word list is damaged",
    ),
    Hostile(
        "control in our words",
        "v.safetensors",
        native(words=b"catd\x1bg"),
        "the word list is damaged",
    ),
    Hostile(
        "long word of ours",
        "v.safetensors",
        native(words=b"c" * 2000, ends=(3, 2000)),
        "the word list is damaged",
    ),
    Hostile(
        "words of another type",
        "v.safetensors",
        native(words=np.array([1, 2, 3, 4, 5, 6])),
        "the word list is damaged",
    ),
    Hostile(
        "words in a table",
        "v.safetensors",
        native(words=np.full((6, 6), 65, np.uint8)),
        "the word list is damaged",
    ),
    Hostile("ends in a table", "v.safetensors", native(ends=((3, 6),)), "the word list is damaged"),
    Hostile(
        "ends of another type",
        "v.safetensors",
        native(ends=np.array([3, 6], "<f4")),
        "the word list is damaged",
    ),
    Hostile(
        "more words than vectors",
        "v.safetensors",
        native(ends=(2, 4, 6)),
        "3 words for vectors (2, 2)",
    ),
    Hostile(
        "vectors of one axis", "v.safetensors", native(vectors=(1, 2)), "2 words for vectors (2,)"
    ),
    Hostile(
        "vectors without dimensions",
        "v.safetensors",
        native(vectors=((), ())),
        "without dimensions",
    ),
    Hostile(
        "too few counts", "v.safetensors", native(counts=(5,)), "counts (1,) int64 for 2 words"
    ),
    Hostile(
        "packed tensors",
        "v.safetensors.gz",
        gzip.compress(native()),
        "is compressed. Unpack it first",
    ),
]

DAMAGED = "the sparse vectors are damaged. Download or write the file again."
SPARSE = [
    Hostile(f"sparse: {what}", "v.safetensors", sparse_native(**changes), fragment)
    for what, fragment, changes in (
        ("ends fall", DAMAGED, {"row_ends": (3, 2)}),
        ("ends fall and rise again", DAMAGED, {"row_ends": (2, 1, 3), "words": b"catdogsun"}),
        ("ends are negative", DAMAGED, {"row_ends": (-1, 3)}),
        ("ends overflow", DAMAGED, {"row_ends": (-(2**63), 3)}),
        ("ends lie past the numbers", DAMAGED, {"row_ends": (2, 4)}),
        ("ends lie far past the numbers", DAMAGED, {"row_ends": (2, 2**62)}),
        ("ends come before the numbers do", DAMAGED, {"row_ends": (1, 2)}),
        ("too few ends", "2 words for 1 sparse vectors", {"row_ends": (3,)}),
        ("no ends", "2 words for 0 sparse vectors", {"row_ends": ()}),
        ("a column too far", DAMAGED, {"columns": (0, 4, 1)}),
        ("a column far too far", DAMAGED, {"columns": (0, 2**31 - 1, 1)}),
        ("a negative column", DAMAGED, {"columns": (-1, 2, 1)}),
        ("columns fall", DAMAGED, {"columns": (2, 0, 1)}),
        ("a column twice", DAMAGED, {"columns": (2, 2, 1)}),
        ("too few columns", "3 numbers for 2 columns", {"columns": (0, 2)}),
        ("too many columns", "3 numbers for 4 columns", {"columns": (0, 2, 1, 3)}),
        ("a zero", DAMAGED, {"values": (1, 0, 3)}),
        ("a negative zero", DAMAGED, {"values": (1, -0.0, 3)}),
        ("no values", "without words (it contains columns", {"values": None}),
        ("no columns", "without words (it contains ends", {"columns": None}),
        ("values in a table", DAMAGED, {"values": [[1, 2, 3]]}),
        ("ends in a table", DAMAGED, {"row_ends": [[2, 3]]}),
        ("columns of another type", DAMAGED, {"columns": np.array([0, 2, 1])}),
        ("values of another type", DAMAGED, {"values": np.array([1, 2, 3])}),
        ("ends of another type", DAMAGED, {"row_ends": np.array([2, 3], "<i4")}),
        ("no dimensions", "announces '' dimensions", {"dimensions": ""}),
        ("dimensions of zero", "announces '0' dimensions", {"dimensions": "0"}),
        ("negative dimensions", "announces '-4' dimensions", {"dimensions": "-4"}),
        ("dimensions in words", "announces 'four' dimensions", {"dimensions": "four"}),
        ("dimensions in other digits", "announces '٤' dimensions", {"dimensions": "٤"}),
        ("endless dimensions", "1 to 50,000,000 are possible", {"dimensions": "9" * 5000}),
        ("more dimensions than fit", "announces '50000001'", {"dimensions": "50000001"}),
        ("steering dimensions", "announces '\ufffd[2J' dimensions", {"dimensions": "\x1b[2J"}),
        ("fewer dimensions", DAMAGED, {"dimensions": "2"}),
        ("words not UTF-8", "the word list is damaged", {"words": b"catd\xffg"}),
        ("more words", "3 words for 2 sparse vectors", {"words": b"catdogsun"}),
        ("counts", "counts (1,) int64 for 2 words", {"counts": np.array([5])}),
    )
]

FOREIGN = [
    Hostile("web page", "v.vec", b"\n <!DOCTYPE html><html>404</html>", "is a web page"),
    Hostile("plain html", "v.txt", b"<html><body>Sign in 1 2</body>\n", "is a web page"),
    Hostile("xml", "v.txt", b"<?xml version='1.0'?>\n<Error/>\n", "is a web page"),
    Hostile(
        "LFS pointer",
        "v.vec",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
        "Run 'git lfs pull'",
    ),
    Hostile("HDF5", "v.h5", b"\x89HDF\r\n\x1a\n" + bytes(99), "is an HDF5 file"),
    Hostile("UTF-16", "v.txt", "cat 1 2\n".encode("utf-16"), "is UTF-16 text"),
    Hostile(
        "UTF-16 the other way",
        "v.txt",
        b"\xfe\xff" + "cat 1 2\n".encode("utf-16-be"),
        "is UTF-16 text",
    ),
    Hostile("SQLite", "v.db", b"SQLite format 3\0" + bytes(99), "is an SQLite database"),
    Hostile("PDF", "v.pdf", b"%PDF-1.7\n%\xe2\xe3\n", "is a PDF document"),
    Hostile("7z", "v.7z", b"7z\xbc\xaf\x27\x1c" + bytes(99), "is a 7z archive"),
    Hostile("zstd", "v.zst", b"\x28\xb5\x2f\xfd" + bytes(99), "is a zstd archive"),
    Hostile("program", "v.bin", b"\x7fELF" + bytes(99), "is a program"),
    Hostile("pickle", "v.kv", b"\x80\x04\x95" + bytes(99), "the pickle is broken"),
    Hostile("JSON without words", "v.json", b'{"l2NormIndex":2}', "does not begin with its words"),
    Hostile(
        "deep JSON", "v.json", b'{"l2NormIndex":' + b"[" * 99_999, "does not begin with its words"
    ),
    Hostile(
        "JSON with endless size", "v.json", wink(size="1e999"), "does not begin with its words"
    ),
    Hostile("JSON too large", "v.json", wink(size=10**9), "must be 1 to"),
    Hostile("JSON with fewer words", "v.json", wink(words="[]"), "a different number of words"),
    Hostile("JSON with other words", "v.json", wink(words="[7]"), "row 1: a word must be text"),
    Hostile(
        "JSON with fewer numbers",
        "v.json",
        wink(body='"cat":[1,2,3]'),
        "expected 4 numbers in a list",
    ),
    Hostile(
        "JSON with more numbers",
        "v.json",
        wink(body='"cat":[1,2,3,4,5]'),
        "expected 4 numbers in a list",
    ),
    Hostile(
        "JSON with no number",
        "v.json",
        wink(body='"cat":[1,null,3,4]'),
        "expected 4 numbers in a list",
    ),
    Hostile("JSON that overflows", "v.json", wink(body='"cat":[1e50,2,3,0]'), "is not finite"),
    Hostile("JSON in another order", "v.json", wink(body='"cat":[1,2,3,7]'), "the last of them 0"),
    Hostile("cut JSON", "v.json", wink()[:-9], "the JSON is truncated"),
    Hostile("JSON cut in a key", "v.json", wink(body='"cat\\'), "expected 4 numbers in a list"),
]

CASES = [*HEADERS, *ARCHIVES, *ROWS, *RECORDS, *NUMPY, *NATIVE, *SPARSE, *FOREIGN]


def assert_refused(path, case):
    with pytest.raises(LexiscopeError) as caught:
        load(path)
    message = str(caught.value)
    assert type(caught.value) is case.error
    assert caught.value.exit_code == 3
    assert case.name in message
    assert case.fragment in message
    assert message.endswith((".", "?"))
    assert shown(message, 700) == message


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_error_is_one_sentence_with_the_file_and_the_problem(case, write_file):
    if case.words is not None:
        write_file("v.words", case.words)
    assert_refused(write_file(case.name, case.content), case)


@pytest.mark.parametrize("case", BOMBS, ids=lambda case: case.id)
def test_a_bomb_is_stopped_soon_and_with_little_memory(case, write_file, monkeypatch):
    load(write_file("small.vec", b"cat 1 2\ndog 3 4\n"))  # memory for compilation is not counted
    path = write_file(case.name, case.content())
    unpacked = []
    whole = unpacking._Bounded.readinto
    monkeypatch.setattr(
        unpacking._Bounded,
        "readinto",
        lambda self, buffer: unpacked.append(whole(self, buffer)) or unpacked[-1],
    )
    tracemalloc.start()

    assert_refused(path, case)

    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(unpacked) <= 1 << 26
    assert most < 100_000_000


def test_there_are_at_least_seventy_hostile_files():
    names = [case.id for case in (*CASES, *BOMBS)]

    assert len(set(names)) == len(names) >= 70


def test_a_folder_is_not_a_vector_file(tmp_path):
    with pytest.raises(BadData, match="is a folder; give a vector file"):
        load(tmp_path)


def test_a_pipe_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "v.vec")

    with pytest.raises(BadData, match="is a device or a pipe"):
        load(tmp_path / "v.vec")


@pytest.mark.parametrize(
    "name", ["none.vec", "none.zip#v.vec", "x" * 5000, "a\0b", "\ud800", "x/" * 3000]
)
def test_a_missing_file_is_reported_by_name(name, tmp_path):
    for source in (f"{tmp_path}/{name}", tmp_path / name):
        with pytest.raises(BadData, match="there is no such file"):
            load(source)


def test_an_empty_path_is_refused():
    with pytest.raises(BadData, match="An empty path"):
        load("")


def test_an_unreadable_file_is_reported_by_name(write_file, monkeypatch):
    path = write_file("v.vec", GOOD)

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)

    with pytest.raises(BadData, match=r"v\.vec: cannot be opened \(Permission denied\)"):
        load(path)


def test_a_missing_member_is_reported(write_file):
    path = write_file("v.zip", zipped(a__txt=GOOD, b__txt=GOOD))

    with pytest.raises(BadData, match=r"has no member 'c'. It contains: a.txt, b.txt"):
        load(f"{path}#c")


def test_a_plain_file_has_no_members(write_file):
    with pytest.raises(BadData, match="is not a zip archive, so it has no member 'c'"):
        load(f"{write_file('v.vec', GOOD)}#c")


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(limit, write_file):
    with pytest.raises(BadUsage, match="must be 1 or more"):
        load(write_file("v.vec", GOOD), limit=limit)


def test_an_unknown_on_error_is_refused(write_file):
    with pytest.raises(BadUsage, match="'stop', 'skip' or 'replace', found 'ignore'"):
        load(write_file("v.vec", GOOD), on_error="ignore")
