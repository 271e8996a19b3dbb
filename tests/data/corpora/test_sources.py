"""The same text from every source gives the same corpus; other files are reported."""

import bz2
import gzip
import io
import lzma
import sys
import tarfile
import zipfile

import pytest

from lexiscope.core.corpus import sentences_of
from lexiscope.core.errors import BadData, BadUsage, TooLarge
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.data.corpora import files_of, read
from lexiscope.data.corpora.gutenberg import without_licence

ALL = Preprocessing(min_count=1)
TEXT = "The cat sat. The dog barked at the cat.\n\nIt didn't stop: 3.14 times, 你好。\n"


@pytest.fixture
def stdin(monkeypatch):
    """Writes bytes to standard input."""

    def put(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return put


def zipped(**members):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return content.getvalue()


def tarred(*links, **members):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
        for name in links:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/hostname"
            archive.addfile(member)
    return content.getvalue()


# By name: compressed files contain a time stamp, which would be in the names of tests.
SAME = {
    "text.gz": gzip.compress(TEXT.encode()),
    "text.txt.bz2": bz2.compress(TEXT.encode()),
    "text.xz": lzma.compress(TEXT.encode()),
    "text.zip": zipped(**{"a.txt": TEXT}),
    "text.tar": tarred(**{"a.txt": TEXT}),
    "text.tar.gz": gzip.compress(tarred(**{"a.txt": TEXT})),
    "text.tgz": gzip.compress(tarred(**{"a.txt": TEXT})),
    "text.tar.xz": lzma.compress(tarred(**{"a.txt": TEXT})),
    "text": TEXT,
    "marked.txt": b"\xef\xbb\xbf" + TEXT.encode(),
    "utf16.txt": TEXT.encode("utf-16"),
    "utf16be.txt": b"\xfe\xff" + TEXT.encode("utf-16-be"),
    "utf32.txt": TEXT.encode("utf-32"),
    "lines.txt": TEXT.replace("\n", "\r\n"),
    "folder/text.txt": TEXT,
}


@pytest.mark.parametrize("name", SAME)
def test_the_same_text_is_the_same_corpus(name, write_file):
    path = write_file(name, SAME[name])
    source = path.parent if name.startswith("folder") else path

    found, plain = read(source, ALL), read(write_file("plain.txt", TEXT), ALL)

    assert found.fingerprint == plain.fingerprint
    assert found.repairs == ()


def test_standard_input_is_the_same_corpus_and_its_length_is_not_known(write_file, stdin):
    stdin(TEXT.encode())
    reports = []

    found = read("-", ALL, progress=lambda *what: reports.append(what))

    assert found.fingerprint == read(write_file("plain.txt", TEXT), ALL).fingerprint
    assert found.name == "standard input"
    assert reports[-1] == ("Reading", len(TEXT.encode()), 0)


def test_standard_input_is_named_once():
    with pytest.raises(BadUsage, match="only once"):
        read(["-", "-"], ALL)


def test_a_folder_is_read_in_the_order_of_paths_without_hidden_files(write_file):
    write_file("books/b.txt", "second")
    write_file("books/a/z.txt.gz", gzip.compress(b"first"))
    write_file("books/c.md", "third.")
    write_file("books/.hidden", "never")
    write_file("books/.git/config", "never")
    write_file("books/empty.txt", "")
    folder = write_file("books/d/e/f.txt", "last").parents[2]

    found = read(folder, ALL)

    assert sentences_of(found) == [["first"], ["second"], ["third"], ["last"]]
    assert found.name == "books"
    assert found.origin.startswith("books (5 files, ")
    assert [path.name for path in files_of(folder)] == [
        "z.txt.gz",
        "b.txt",
        "c.md",
        "f.txt",
        "empty.txt",
    ]


def test_files_whose_ending_is_not_text_are_left_out_and_listed(write_file):
    write_file("books/cover.PNG", b"\x89PNG\0")
    write_file("books/paper.pdf", b"%PDF\0")
    folder = write_file("books/a.txt", "one two").parent

    found = read(folder, ALL)

    assert sentences_of(found) == [["one", "two"]]
    assert [sentence.partition("books/")[2] for sentence in found.repairs] == [
        "cover.PNG: not plain text, by its ending. Left out.",
        "paper.pdf: not plain text, by its ending. Left out.",
    ]


RECORD = '{\n  "format": "lexiscope training 1",\n  "seed": 0\n}\n'


@pytest.mark.parametrize(
    "ours",
    [
        {"v.safetensors": b"\x80\1", "v.safetensors.json": RECORD},
        {"v.vec": "1 1\ncat 1\n", "v.vec.json": RECORD},
        {"v.txt": "1 1\ncat 1\n", "v.txt.json": RECORD},
        {"v.txt.gz": gzip.compress(b"cat 1\n"), "v.txt.gz.json": RECORD},
        {"v.npy": b"\x93NUMPY", "v.words": "cat\n", "v.npy.json": RECORD},
        {"v.npy.xz": b"\xfd7zXZ", "v.words": "cat\n", "v.npy.xz.json": RECORD},
        {"v.glove": "cat 1\n", "v.w2v": "cat 1\n", "v.bin.gz": b"1 1\n", "v.npz": b"PK"},
        {"lexiscope.sqlite": b"SQLite format 3\0"},
        {"interrupted.vec.json": RECORD},
    ],
)
def test_vectors_and_records_in_a_folder_change_nothing(ours, write_file):
    folder = write_file("books/a.txt", "one two").parent
    before, files = read(folder, ALL), files_of(folder)

    for name, content in ours.items():
        write_file(f"books/{name}", content)
    after = read(folder, ALL)

    assert after.fingerprint == before.fingerprint
    assert after.origin == before.origin == "books (7 bytes)"
    assert files_of(folder) == files == [folder / "a.txt"]
    assert len(after.repairs) == len(ours)


def test_other_json_and_word_lists_in_a_folder_are_read(write_file):
    write_file("books/a.json", '{"format": "mine"}')
    write_file("books/b.words", "one")
    folder = write_file("books/c.txt", "two").parent

    found = read(folder, ALL)

    assert sentences_of(found) == [["format", "mine"], ["one"], ["two"]]
    assert len(files_of(folder)) == 3


@pytest.mark.parametrize("source", ["", "#a.txt"])
def test_an_empty_name_is_not_the_current_folder(source, write_file, monkeypatch):
    monkeypatch.chdir(write_file("books/a.txt", "one").parent)

    with pytest.raises(BadUsage, match="The name of a text is empty"):
        read(source, ALL)
    with pytest.raises(BadUsage, match="The name of a text is empty"):
        files_of(source)


def test_the_error_for_a_folder_without_text_names_a_file(write_file):
    folder = write_file("scans/page.tiff", b"II*\0").parent

    with pytest.raises(BadData, match=r"scans: none of its 1 files is plain text.*page.tiff"):
        read(folder, ALL)


def test_an_empty_folder_is_reported(tmp_path):
    with pytest.raises(BadData, match="contains no readable file"):
        read(tmp_path, ALL)


def test_a_file_whose_ending_is_not_text_is_refused(write_file):
    with pytest.raises(BadData, match=r"paper\.pdf: .* not plain text. Save or export"):
        read(write_file("paper.pdf", "text"), ALL)
    with pytest.raises(BadData, match=r"texts\.rar: .* not plain text"):
        read(write_file("texts.rar", b"x"), ALL)


def test_the_files_of_a_tar_archive_are_documents_in_its_order(write_file):
    members = {"b.txt": "two", "a.txt": "one", "scan.png": "x", ".hidden": "y", "in.tar.gz": "z"}
    path = write_file("texts.tar.gz", gzip.compress(tarred("link.txt", **members)))

    found = read(path, ALL)

    assert sentences_of(found) == [["two"], ["one"]]
    assert [note.partition("#")[2] for note in found.repairs] == [
        "scan.png: not plain text, by its ending. Left out.",
        "in.tar.gz: not plain text, by its ending. Left out.",
    ]
    assert sentences_of(read(f"{path}#a.txt", ALL)) == [["one"]]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"x", "the tar archive is broken"),
        (gzip.compress(b"x" * 1000), "the tar archive is broken"),
        (gzip.compress(tarred(**{"a.txt": TEXT})[:600]), "broken|truncated"),
        (gzip.compress(tarred(**{"a.txt": TEXT}))[:60], "broken|truncated"),
        (gzip.compress(tarred("link.txt")), "has no file"),
        (tarred(**{f"{n}.txt": "x" for n in range(10_001)}), "more than 10,000 files"),
        (gzip.compress(bytes(1 << 26)), "a ratio that no text|has no file"),
    ],
    ids=["no tar", "gzip without tar", "cut tar", "cut gzip", "link", "many files", "zeros"],
)
def test_a_broken_tar_archive_is_reported(content, sentence, write_file):
    with pytest.raises(BadData, match=sentence):
        read(write_file("texts.tar.gz", content), ALL)


def test_a_huge_header_in_a_tar_archive_is_refused(write_file):
    member = tarfile.TarInfo("a.txt")
    member.type, member.size = tarfile.XHDTYPE, 1 << 30

    with pytest.raises(BadData, match="a header of 1,073,741,824 bytes"):
        read(write_file("texts.tar", member.tobuf(tarfile.GNU_FORMAT) + bytes(1024)), ALL)


BOOK = (
    "The Project Gutenberg EBook of Owls\r\n\r\n*** START OF THE PROJECT GUTENBERG EBOOK OWLS ***"
    "\r\n\r\nProduced by Ann\r\nand Bob\r\n\r\nOwls see. {}\r\n\r\n*** END OF THE PROJECT "
    "GUTENBERG EBOOK OWLS ***\r\nThe licence.\r\n"
)


@pytest.mark.parametrize("length", [0, 3, 50_000, 200_000])
def test_the_licence_of_project_gutenberg_is_left_out_and_noted(length, write_file):
    found = read(write_file("owls.txt", BOOK.format("Owls hunt. " * length)), ALL)

    assert sentences_of(found) == [["owls", "see"], *[["owls", "hunt"]] * length]
    (note,) = found.repairs
    assert note.endswith("the header and the licence of Project Gutenberg. Left out.")


@pytest.mark.parametrize("length", [0, 60_000, 70_000])
def test_no_book_of_a_file_with_several_is_lost(length, write_file):
    books = (
        BOOK.format("Owls hunt. " * length) + BOOK.format("Bats fly. ") + "\r\nMore licence.\r\n"
    )

    found = read(write_file("both.txt", books), ALL)

    first = [["owls", "see"], *[["owls", "hunt"]] * length]
    assert sentences_of(found) == [*first, ["owls", "see"], ["bats", "fly"]]


def test_books_are_the_same_in_chunks_of_any_size():
    content = (BOOK.format("Owls hunt. " * 300) + BOOK.format("Bats fly. " * 9000)).encode()
    whole = b"".join(without_licence(iter([content]), "owls", []))

    for size in (7, 100, 1024, 4096):
        chunks = (content[at : at + size] for at in range(0, len(content), size))
        assert b"".join(without_licence(chunks, "owls", [])) == whole


def test_a_text_that_mentions_project_gutenberg_stays_whole(write_file):
    text = "End of the story.\nEnd of Project Gutenberg's page\nMore words.\n"

    assert "more" in read(write_file("plain.txt", text), ALL).vocabulary.words


def test_several_sources_are_one_corpus(write_file, stdin):
    stdin(b"three")

    found = read([write_file("a.txt", "one"), str(write_file("b.txt", "two")), "-"], ALL)

    assert sentences_of(found) == [["one"], ["two"], ["three"]]
    assert found.name == "a + b + standard input"
    assert found.origin == "a.txt (3 bytes), b.txt (3 bytes), standard input"


def test_texts_of_an_archive_are_documents_in_the_order_of_names(write_file):
    path = write_file(
        "t.zip",
        zipped(**{"b.txt": "two", "a.txt": "one", "__MACOSX/a.txt": "never", "x.jpg": "\0"}),
    )

    found = read(path, ALL)

    assert sentences_of(found) == [["one"], ["two"]]
    assert [sentence.partition("#")[2] for sentence in found.repairs] == [
        "x.jpg: not plain text, by its ending. Left out."
    ]
    assert sentences_of(read(f"{path}#b.txt", ALL)) == [["two"]]


def test_an_archive_without_the_member_is_reported(write_file):
    path = write_file("t.zip", zipped(**{"b.txt": "two"}))

    with pytest.raises(BadData, match=r"no member 'c\.txt'"):
        read(f"{path}#c.txt", ALL)
    with pytest.raises(BadData, match="is not a zip or tar archive"):
        read(f"{write_file('a.txt', 'one')}#c.txt", ALL)


def test_a_missing_source_is_reported_with_a_suggestion():
    with pytest.raises(BadData, match=r"Did you mean 'wikitext-2'\? Available: .*brown"):
        read("wikitext2", ALL)
    with pytest.raises(BadUsage, match="No text is given"):
        read([], ALL)


def test_a_catalogue_entry_of_another_kind_is_refused():
    with pytest.raises(BadData, match="men: is a catalogue entry of the kind pairs, not a corpus"):
        read("men", ALL)


def test_broken_archives_and_decompression_bombs_are_reported(write_file):
    with pytest.raises(BadData, match="broken or truncated"):
        read(write_file("cut.gz", gzip.compress(TEXT.encode() * 100)[:-20]), ALL)
    with pytest.raises(TooLarge, match="compressed bytes"):
        read(write_file("bomb.gz", gzip.compress(b"a " * (1 << 24))), ALL)


def test_progress_is_reported_in_bytes_of_the_compressed_file(write_file):
    path, reports = write_file("a.gz", gzip.compress(TEXT.encode() * 1000)), []

    read([path, write_file("b.txt", TEXT)], ALL, progress=lambda *what: reports.append(what))

    size = path.stat().st_size + len(TEXT.encode())
    assert {what for what, _, _ in reports} == {"Reading"}
    assert reports[-1][1:] == (size, size)
