"""The bytes of small vector files, valid and invalid."""

import io
import json
import struct
import zipfile

import numpy as np


def record(word, *numbers):
    return word + b" " + np.array(numbers, "<f4").tobytes()


def binary(*records, header=None):
    return (header or b"%d 2\n" % len(records)) + b"".join(records)


def npy(array, pickled=False):
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=pickled)
    return stream.getvalue()


def npy_header(text, body=b"", version=b"\x01\x00"):
    text = text.encode() + b"\n"
    size = struct.pack("<H" if version == b"\x01\x00" else "<I", len(text))
    return b"\x93NUMPY" + version + size + text + body


def described(shape, dtype="<f4"):
    return f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}}}"


def npz(**arrays):
    return zipped(**{f"{name}.npy": npy(array) for name, array in arrays.items()})


def zipped(method=zipfile.ZIP_DEFLATED, **members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return stream.getvalue()


def with_flags(archive, flags):
    """The archive with these flags set for its first member, in both of its headers."""
    changed = bytearray(archive)
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        struct.pack_into("<H", changed, archive.index(magic) + offset, flags)
    return bytes(changed)


def listing(members, announced):
    """An archive with only a list of members, whose number may be wrong."""
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 3, 20, 0, *[0] * 14)
    head = zipped(a="x")
    start = head.index(b"PK\x01\x02")
    end = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, announced, announced, len(entry) * members, start, 0
    )
    return head[:start] + entry * members + end


def tensors(header, body=b""):
    raw = json.dumps(header).encode() if isinstance(header, dict) else header
    return struct.pack("<Q", len(raw)) + raw + body


def native(words=b"catdog", ends=(3, 6), vectors=((1, 2), (3, 4)), counts=None):
    """A file in our own format, valid or invalid."""
    words = np.frombuffer(words, np.uint8) if isinstance(words, bytes) else words
    ends = ends if isinstance(ends, np.ndarray) else np.array(ends, "<i8")
    parts = {"vectors": np.array(vectors, "<f4"), "words": words, "ends": ends}
    if counts is not None:
        parts["counts"] = np.array(counts)
    return _native({"format": "lexiscope embedding 1"}, parts)


def sparse_native(
    values=(1, 2, 3), columns=(0, 2, 1), row_ends=(2, 3), dimensions="4", words=b"catdog", **others
):
    """A file in our own format with sparse vectors, valid or invalid."""
    given = {
        "values": (values, "<f4"),
        "columns": (columns, "<i4"),
        "row_ends": (row_ends, "<i8"),
        "ends": (np.arange(3, len(words) + 1, 3), "<i8"),
    }
    parts = {
        name: part if isinstance(part, np.ndarray) else np.array(part, kind)
        for name, (part, kind) in given.items()
        if part is not None
    }
    parts |= {"words": np.frombuffer(words, np.uint8), **others}
    metadata = {"format": "lexiscope sparse embedding 1"}
    return _native(metadata | ({"dimensions": dimensions} if dimensions else {}), parts)


def _native(metadata, parts):
    header, body = {"__metadata__": metadata}, b""
    for name, part in parts.items():
        offsets = [len(body), len(body) + part.nbytes]
        kind = {"f4": "F32", "u1": "U8", "i4": "I32", "i8": "I64"}[part.dtype.str[1:]]
        header[name] = {"dtype": kind, "shape": list(part.shape), "data_offsets": offsets}
        body += part.tobytes()
    raw = json.dumps(header).encode()
    return tensors(raw + b" " * (-len(raw) % 8), body)


def wink(words='["cat"]', size=1, dimensions=2, body='"cat":[1,2,3,0]'):
    head = f'{{"l2NormIndex":2,"size":{size},"dimensions":{dimensions},"words":{words}'
    return f'{head},"vectors":{{{body}}}}}'.encode()


def fasttext(
    words=("cat", "été"),
    table=None,
    ngrams=(2, 4),
    buckets=7,
    dimension=3,
    version=12,
    kind=2,
    labels=(),
    quantised=0,
    pruned=-1,
    **sizes,
):
    """A fastText model (.bin), valid or invalid; `sizes` are numbers that lie."""
    if table is None:
        rows = len(words) + (buckets if ngrams[1] else 0)
        table = np.random.default_rng(1).standard_normal((rows, dimension)).astype("<f4")
    settings = [sizes.get("dim", dimension), 5, 1, 1, 5, 1, 2, kind, buckets, *ngrams, 100]
    entries = b"".join(
        (word if isinstance(word, bytes) else word.encode()) + struct.pack("<bqb", 0, 9 - n, mark)
        for mark, group in enumerate((words, labels))
        for n, word in enumerate(group)
    )
    head = struct.pack("<2i12id", 793_712_314, version, *settings, 1e-4)
    number = sizes.get("number", len(words))
    head += struct.pack(
        "<3i2q", sizes.get("size", number + len(labels)), number, len(labels), 99, pruned
    )
    shape = sizes.get("rows", len(table)), sizes.get("columns", np.shape(table)[1])
    return head + entries + struct.pack("<b2q", quantised, *shape) + np.asarray(table).tobytes()


def floret(rows=5, dimension=2, header=None, body=None):
    """A floret file with vectors (0, 0.5), (1, 1.5), ..."""
    head = header or f"{rows} {dimension} 2 3 2 2166136261 < >"
    lines = [" ".join([str(n), *(str(n + k / 2) for k in range(dimension))]) for n in range(rows)]
    return f"{head}\n{body or ''.join(line + chr(10) for line in lines)}".encode()


def safetensors(**parts):
    """A safetensors file of these arrays; __ in a name is a dot."""
    codes = {"f2": "F16", "f4": "F32", "f8": "F64", "i1": "I8", "i4": "I32", "i8": "I64"}
    header, body = {}, b""
    for name, part in parts.items():
        offsets = [len(body), len(body) + part.nbytes]
        kind = codes[part.dtype.str[1:]]
        entry = {"dtype": kind, "shape": list(part.shape), "data_offsets": offsets}
        header[name.replace("__", ".")] = entry
        body += part.tobytes()
    raw = json.dumps(header).encode()
    return tensors(raw + b" " * (-len(raw) % 8), body)
