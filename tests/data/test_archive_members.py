import gzip
import hashlib

import pytest

from lexiscope.core.errors import BadData, TooLarge
from lexiscope.data import archive_members as packed
from lexiscope.data.archive_members import Member, members, opened, unpacked_sha256, unpacked_size
from tests.data.packages import write_deb, write_tgz, write_zip

FILES = {"text/b.txt": b"bee", "text/a.txt": b"ant", "run.js": b"throw 1"}
WRITERS = pytest.mark.parametrize("write", [write_zip, write_tgz, write_deb])


@WRITERS
def test_members_come_in_the_order_of_the_archive(tmp_path, write):
    package = write(tmp_path / "package", FILES)

    assert list(members(package, "text/*.txt")) == [
        Member("text/b.txt", b"bee"),
        Member("text/a.txt", b"ant"),
    ]


@WRITERS
def test_a_member_that_is_too_large_is_refused(tmp_path, write, monkeypatch):
    monkeypatch.setattr(packed, "_LARGEST_MEMBER", 2)
    package = write(tmp_path / "package", FILES)

    with pytest.raises(TooLarge, match=r"'text/b.txt' has 3 bytes"):
        list(members(package, "text/*"))


@WRITERS
def test_a_truncated_package_is_reported_as_broken(tmp_path, write):
    package = write(tmp_path / "package", FILES)
    package.write_bytes(package.read_bytes()[: package.stat().st_size * 2 // 3])

    with pytest.raises(BadData, match=r"package: .*Download (it|the file) again"):
        list(members(package, "text/*"))


@pytest.mark.parametrize("length", range(1, 11))
def test_a_package_of_a_few_bytes_is_reported_as_broken(tmp_path, length):
    package = write_tgz(tmp_path / "package", FILES)
    package.write_bytes(package.read_bytes()[:length])

    with pytest.raises(BadData, match=r"package: .*Download (it|the file) again"):
        list(members(package, "text/*"))


def test_a_debian_package_without_files_is_reported(tmp_path):
    (tmp_path / "a.deb").write_bytes(b"!<arch>\n")

    with pytest.raises(BadData, match="not a Debian package with files"):
        list(members(tmp_path / "a.deb", "*"))


def test_gzip_is_read_as_if_plain(tmp_path):
    (tmp_path / "plain").write_bytes(b"one\ntwo\n")
    (tmp_path / "packed").write_bytes(gzip.compress(b"one\ntwo\n"))

    for name in ("plain", "packed"):
        with opened(tmp_path / name) as stream:
            assert stream.readlines() == [b"one\n", b"two\n"]


def test_a_decompression_bomb_is_refused(tmp_path):
    bomb = bytes((1 << 24) + 1)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(bomb))

    with opened(tmp_path / "bomb.gz") as stream, pytest.raises(TooLarge, match="compressed bytes"):
        stream.read()
    with pytest.raises(TooLarge, match="compressed bytes"):
        list(members(write_zip(tmp_path / "bomb.zip", {"a": bomb}), "*"))


def test_size_and_checksum_are_those_of_the_content(tmp_path):
    place = tmp_path / "a.gz"
    place.write_bytes(gzip.compress(b"one\ntwo\n"))

    assert unpacked_size(place) == 8
    assert unpacked_sha256(place, 8) == hashlib.sha256(b"one\ntwo\n").hexdigest()
    place.write_bytes(b"one")
    assert unpacked_size(place) == 0


def test_broken_gzip_is_reported(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"word " * 1000)[:-12])

    with pytest.raises(BadData, match=r"a\.gz: the compressed data is broken or truncated"):
        unpacked_sha256(tmp_path / "a.gz", 5000)


def test_a_file_that_does_not_exist_is_reported(tmp_path):
    with pytest.raises(BadData, match="there is no such file"), opened(tmp_path / "none"):
        pass
