"""Archives of many small bombs: the limits hold for a whole archive."""

import gzip
import io
import tarfile
import zipfile

import numpy as np
import pytest

import lexiscope
from lexiscope.core.errors import BadData, TooLarge
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.data import archives, corpora
from lexiscope.data.archive_members import members

MEMBER = 4 << 20
MEMBERS = 8  # together over what is allowed whatever the ratio


@pytest.fixture
def bomb(tmp_path):
    """Writes a zip archive of members that are harmless one by one."""
    assert MEMBER < archives._ALWAYS_ALLOWED < MEMBER * MEMBERS

    def write(name, content, ending):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(MEMBERS):
                archive.writestr(f"{number}{ending}", content)
        assert (tmp_path / name).stat().st_size < 1 << 18
        return tmp_path / name

    return write


def test_an_npz_file_of_many_bombs_is_refused(bomb):
    array = io.BytesIO()
    np.save(array, np.zeros(MEMBER // 4, np.float32))

    with pytest.raises(TooLarge, match=r"v\.npz: .* compressed bytes"):
        lexiscope.load(bomb("v.npz", array.getvalue(), ".npy"))


def test_a_corpus_of_many_bombs_is_refused(bomb):
    with pytest.raises(TooLarge, match=r"c\.zip: .* compressed bytes"):
        corpora.read(bomb("c.zip", b"a b\n" * (MEMBER // 4), ".txt"), Preprocessing())


def test_a_package_of_many_bombs_is_refused(bomb):
    with pytest.raises(TooLarge, match=r"p\.zip: .* compressed bytes"):
        list(members(bomb("p.zip", bytes(MEMBER), ".txt"), "*.txt"))


@pytest.mark.parametrize("pattern", ["*.txt", "none"])
def test_a_tarball_of_many_bombs_is_refused(tmp_path, pattern):
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for number in range(MEMBERS):
            about = tarfile.TarInfo(f"{number}.txt")
            about.size = MEMBER
            archive.addfile(about, io.BytesIO(bytes(MEMBER)))
    (tmp_path / "p.tgz").write_bytes(gzip.compress(plain.getvalue()))

    with pytest.raises(TooLarge, match=r"p\.tgz: .* compressed bytes"):
        list(members(tmp_path / "p.tgz", pattern))


def test_members_that_share_their_bytes_count_once(tmp_path):
    """Members that overlap: each is harmless, and each claims the bytes of the same file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", bytes(MEMBER))
    with zipfile.ZipFile(packed) as archive:
        opened = archives.listed("z.zip", packed)
        info = archive.getinfo("a.txt")
    with pytest.raises(TooLarge, match=f"from {len(packed.getvalue()):,} compressed bytes"):
        [archives.bounded(opened.opened(info), packed, "z.zip").read() for _ in range(MEMBERS)]


def test_a_large_archive_with_a_plausible_ratio_is_read(tmp_path):
    rng = np.random.default_rng(0)
    np.savez_compressed(
        tmp_path / "v.npz", words=np.array([f"w{k}" for k in range(100_000)]),
        vectors=rng.normal(size=(100_000, 50)).astype(np.float32),
    )  # fmt: skip

    assert len(lexiscope.load(tmp_path / "v.npz")) == 100_000


@pytest.mark.parametrize("name", ["\0", "\0a.txt", ""])
@pytest.mark.parametrize(
    "read",
    [
        lexiscope.load,
        lambda path: lexiscope.load(f"{path}#a.txt"),
        lambda path: corpora.read(path, Preprocessing()),
        lambda path: corpora.read(f"{path}#a.txt", Preprocessing()),
        lambda path: list(members(path, "*.txt")),
    ],
)
def test_a_member_without_a_name_is_one_sentence(tmp_path, name, read):
    """Python ends the name of a member at its first NUL."""
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        about = zipfile.ZipInfo("x")
        about.filename = name
        archive.writestr(about, b"cat 1 2\ndog 3 4\n")

    with pytest.raises(BadData, match=r"z\.zip: the zip archive has a member without a name"):
        read(tmp_path / "z.zip")
