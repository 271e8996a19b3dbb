"""A pickle runs code when it is opened. Pickles are only interpreted, whatever their names."""

import bz2
import gzip
import io
import lzma
import pickle
import struct
import zlib
from contextlib import suppress
from pathlib import Path

import joblib
import numpy as np
import pytest

from lexiscope.core.errors import BadData, UnsafeFormat
from lexiscope.data.vectors import load
from tests.data.vectors.vector_files import npy, npy_header, zipped


class Canary:
    """An object whose unpickling writes a marker file."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return Path.touch, (Path(self.marker),)


def pickled(canary, protocol=4):
    return pickle.dumps(canary, protocol)


def of_joblib(canary, compress):
    stream = io.BytesIO()
    joblib.dump(canary, stream, compress=compress)
    return stream.getvalue()


def of_torch(canary):
    return zipped(**{"archive/data__pkl": pickled(canary), "archive/version": b"3\n"})


def objects(canary):
    return npy(np.array([canary], object), pickled=True)


def array_of_objects_called_numbers(canary):
    body = pickled(canary)
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({len(body)},)}}"
    return npy_header(header, body)


def behind_a_header(canary):
    return b"1 2\n" + pickled(canary)


def as_a_word(canary):
    return b"1 1\n" + pickled(canary, 0).replace(b" ", b"") + b" " + bytes(4)


def begun_as_safetensors(canary):
    text = b'\0{"a":1}'  # discarded by the 0 after it
    return b"\x80\2X" + struct.pack("<I", len(text)) + text + b"0" + pickled(canary, 2)[2:]


SURELY = UnsafeFormat
DISGUISES = {
    "gensim vectors": ("v.kv", pickled, SURELY),
    "gensim model": ("v.model", pickled, SURELY),
    "renamed to bin": ("v.bin", pickled, SURELY),
    "renamed to vec": ("v.vec", pickled, SURELY),
    "renamed to npy": ("v.npy", pickled, SURELY),
    "renamed to npz": ("v.npz", pickled, SURELY),
    "renamed to safetensors": ("v.safetensors", pickled, SURELY),
    "protocol 2": ("v.pkl", lambda canary: pickled(canary, 2), SURELY),
    "begun as safetensors": ("v.safetensors", begun_as_safetensors, BadData),
    "protocol 5": ("v.pkl", lambda canary: pickled(canary, 5), SURELY),
    "protocol 0": ("v.vec", lambda canary: pickled(canary, 0), BadData),
    "protocol 1": ("v.vec", lambda canary: pickled(canary, 1), BadData),
    "in gz": ("v.vec.gz", lambda canary: gzip.compress(pickled(canary)), SURELY),
    "in bz2": ("v.vec.bz2", lambda canary: bz2.compress(pickled(canary)), SURELY),
    "in xz": ("v.vec.xz", lambda canary: lzma.compress(pickled(canary)), SURELY),
    "in zip": ("v.zip", lambda canary: zipped(v__vec=pickled(canary)), SURELY),
    "PyTorch": ("v.pt", of_torch, SURELY),
    "PyTorch renamed": ("v.npz", of_torch, SURELY),
    "old PyTorch": (
        "v.pth",
        lambda canary: pickled(0x1950A86A20F9469CFC6C, 2) + pickled(canary),
        SURELY,
    ),
    "npy of objects": ("v.npy", objects, SURELY),
    "npy of objects in gz": ("v.npy.gz", lambda canary: gzip.compress(objects(canary)), SURELY),
    "npz of objects": ("v.npz", lambda canary: zipped(words__npy=objects(canary)), SURELY),
    "npy that lies": ("v.npy", array_of_objects_called_numbers, BadData),
    "npz with a bare pickle": ("v.npz", lambda canary: zipped(words__npy=pickled(canary)), BadData),
    "npz and a pickle": (
        "v.npz",
        lambda canary: zipped(a__npy=b"", b__pkl=pickled(canary)),
        SURELY,
    ),
    "joblib": ("v.joblib", lambda canary: of_joblib(canary, 0), SURELY),
    "joblib by zlib": ("v.joblib", lambda canary: of_joblib(canary, 3), SURELY),
    "joblib by weak zlib": ("v.joblib", lambda canary: of_joblib(canary, ("zlib", 1)), SURELY),
    "joblib by strong zlib": ("v.joblib", lambda canary: of_joblib(canary, ("zlib", 9)), SURELY),
    "joblib by gzip": ("v.joblib", lambda canary: of_joblib(canary, ("gzip", 3)), SURELY),
    "joblib by xz": ("v.joblib", lambda canary: of_joblib(canary, ("xz", 3)), SURELY),
    "joblib by lzma": ("v.joblib", lambda canary: of_joblib(canary, ("lzma", 3)), BadData),
    "zlib in gz": ("v.bin", lambda canary: gzip.compress(zlib.compress(pickled(canary))), SURELY),
    "behind a header": ("v.bin", behind_a_header, BadData),
    "as a word": ("v.bin", as_a_word, BadData),
    "behind a safetensors length": (
        "v.safetensors",
        lambda canary: struct.pack("<Q", 99) + b"{" + pickled(canary),
        BadData,
    ),
}


@pytest.mark.parametrize(("name", "disguise", "error"), DISGUISES.values(), ids=DISGUISES)
def test_a_pickle_is_never_opened(name, disguise, error, write_file, tmp_path):
    marker = tmp_path / "marker"
    path = write_file(name, disguise(Canary(str(marker))))
    write_file("v.words", b"cat\n")

    with pytest.raises(error) as caught:
        load(path)

    assert not marker.exists()
    assert caught.value.exit_code == 3
    assert name in str(caught.value)


@pytest.mark.parametrize(("name", "disguise", "error"), DISGUISES.values(), ids=DISGUISES)
@pytest.mark.parametrize("on_error", ["skip", "replace"])
def test_repairing_files_opens_no_pickle_either(
    name, disguise, error, on_error, write_file, tmp_path
):
    marker = tmp_path / "marker"
    path = write_file(name, disguise(Canary(str(marker))))

    with suppress(BadData):  # after a header, these are ordinary bytes
        load(path, on_error=on_error)

    assert not marker.exists()


def test_the_canary_detects_an_opened_pickle(tmp_path):
    pickle.loads(pickled(Canary(str(tmp_path / "marker"))))

    assert (tmp_path / "marker").exists()


def test_a_selected_pickle_in_a_zip_is_not_opened(write_file, tmp_path):
    marker = tmp_path / "marker"
    path = write_file("v.zip", zipped(a__txt=b"cat 1\n", b__txt=pickled(Canary(str(marker)))))

    with pytest.raises(UnsafeFormat, match=r"v\.zip#b\.txt: byte \d+: is a pickle"):
        load(f"{path}#b.txt")

    assert not marker.exists()
