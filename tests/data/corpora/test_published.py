"""Corpora in the formats of their packages: tiny examples and the real ones."""

import gzip
import json

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.catalogue import catalogue
from lexiscope.data.corpora import published
from lexiscope.data.corpora.published import documents
from lexiscope.data.local_data import LocalData
from tests.data.local_files import kept, shared
from tests.data.packages import write_deb, write_tgz, write_zip


def _read(name, *paths):
    return list(documents(catalogue()[name], paths))


def _written(path, content):
    path.write_bytes(content)
    return path


def test_wikitext_is_not_changed(tmp_path):
    text = b" \n = Owl = \n \n An owl @-@ like bird . \n"

    assert _read("wikitext-2", _written(tmp_path / "a.gz", gzip.compress(text))) == [text]


def test_wikitext_is_split_into_articles_at_titles_between_empty_lines(tmp_path):
    owl = b" \n = Owl = \n \n A bird . \n \n = = Food = = \n \n Mice . W \n = Wins = \n L \n \n"
    cat = b" = Cat = \n \n A cat . \n = No title = \n"
    path = _written(tmp_path / "a.gz", gzip.compress(owl + cat))

    assert _read("wikitext-2", path) == [owl, cat]


def test_a_long_text_comes_in_pieces_that_end_with_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr(published, "_PIECE", 8)
    path = _written(tmp_path / "text", b"one two\nthree\nfour five\nsix")

    pieces = _read("brown", path)

    assert pieces == [b"one two\nthree\n", b"four five\n", b"six"]


def test_several_files_are_concatenated(tmp_path):
    places = [_written(tmp_path / name, name.encode()) for name in ("b", "a")]

    assert _read("wikitext-2", *places) == [b"b", b"a"]


def test_tags_of_brown_are_removed(tmp_path):
    archive = write_zip(
        tmp_path / "any-name",
        {
            "brown/README": b"read me",
            "brown/ca01": b"\n\n\tThe/at jury/nn said/vbd ./.\n\n\t1/2/cd or/cc //in it\n",
            "brown/cr09": b"\tEnd/nn\n",
        },
    )

    assert _read("brown", archive) == [b"The jury said .\n1/2 or / it\n", b"End\n"]


@pytest.mark.parametrize(
    "end",
    [
        b"*** END OF THIS PROJECT GUTENBERG EBOOK OWLS ***",
        b"***END OF THE PROJECT GUTENBERG EBOOK OWLS***",
        b"End of Project Gutenberg's Owls, by A. Bird\r\n\r\n*** END OF THIS PROJECT GUTENBERG",
    ],
)
def test_a_book_is_read_without_header_and_licence(tmp_path, end):
    start = b"Title: Owls\r\n*** START OF THIS PROJECT GUTENBERG EBOOK OWLS ***\r\n\r\n"
    text = b"\xef\xbb\xbf" + start + b"Produced by A\r\nand B\r\n\r\nOWLS\r\n\r\n" + end + b"\r\nx"

    assert _read("russell-mind", _written(tmp_path / "a.txt", text)) == [b"\nOWLS\n\n"]


def test_a_book_without_the_lines_of_project_gutenberg_is_not_changed(tmp_path):
    assert _read("russell-mind", _written(tmp_path / "a.txt", b"OWLS\r\n")) == [b"OWLS\n"]


def test_books_are_utf8_with_plain_line_ends(tmp_path):
    package = write_tgz(
        tmp_path / "a.tgz",
        {
            "package/index.js": b"throw 1",
            "package/gutenberg/README": b"about",
            "package/gutenberg/new.txt": b"[Title]\r\n\r\nOne.\r\n",
            "package/gutenberg/old.txt": "Cæsar\n".encode("latin-1"),
        },
    )

    assert _read("gutenberg", package) == [b"[Title]\n\nOne.\n", "Cæsar\n".encode()]


def test_addresses_are_read_once_not_twice(tmp_path):
    package = write_tgz(
        tmp_path / "a.tgz",
        {"package/data/1790_a_n.json": b"{}", "package/data/1790_a_n.txt": b"Fellow-Citizens: ..."},
    )

    assert _read("sotu", package) == [b"Fellow-Citizens: ..."]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_html_breaks_in_reviews_become_line_ends(tmp_path, pack):
    reviews = [{"t": "Good.<br /><br />Très 5 < 6.", "s": 1}, {"t": "Bad, [no] {not}.", "s": 0}]
    path = _written(tmp_path / "reviews", pack(json.dumps(reviews, ensure_ascii=False).encode()))

    assert _read("imdb", path) == ["Good.\n\nTrès 5 < 6.".encode(), b"Bad, [no] {not}."]


def test_a_review_may_be_split_between_two_reads(tmp_path):
    reviews = [{"t": "é" * 700_000, "s": 1}, {"t": "short", "s": 0}]
    path = _written(tmp_path / "reviews", json.dumps(reviews, ensure_ascii=False).encode())

    assert list(map(len, _read("imdb", path))) == [1_400_000, 5]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'[{"t": "one"}, {"t": "tw', "truncated"),
        (b'[{"t": 1}]', "not of the form"),
        (b'["one"]', "not of the form"),
        (b'[{"t": "' + b"x" * 6_000_000 + b'"}]', "not a JSON list"),
        (b'{"t":' * 100_000, "not a JSON list"),
    ],
    ids=["cut", "number", "text", "long", "deep"],
)
def test_an_invalid_list_of_reviews_is_reported(tmp_path, content, said):
    with pytest.raises(BadData, match=f"reviews: .*{said}"):
        _read("imdb", _written(tmp_path / "reviews", content))


def test_only_the_text_of_postings_is_read(tmp_path):
    table = b"Category\tText\nd\tstring\nclass\t\n\nalt.atheism\tre bible quiz\nsci.med\tvitamins\n"

    assert _read("20newsgroups", _written(tmp_path / "t", table)) == [
        b"re bible quiz\n",
        b"vitamins\n",
    ]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (b"Category\tWords\n", ":1: has no column Text"),
        (b"C\tText\nd\ts\nc\t\nx\n", ":4: has no"),
    ],
)
def test_a_table_without_texts_is_reported_with_its_line(tmp_path, table, said):
    with pytest.raises(BadData, match=said):
        _read("20newsgroups", _written(tmp_path / "t", table))


def test_only_the_visible_text_of_pages_is_read(tmp_path):
    page = (
        "<html><head><title>Away</title><style>p {}</style></head><body><h1>Head</h1>"
        "<p>One <i>slanted</i>\n  word &amp; Proud&shy;hon&#8217;s.<br/>Next&nbsp;line"
        "<ul><li>a<li>b</ul><script>run()</script>"
    )
    package = write_deb(
        tmp_path / "a.deb",
        {
            "./usr/share/doc/anarchism/copyright": b"GPL",
            "./usr/share/doc/anarchism/html/secA1.html": page.encode(),
            "./usr/share/doc/anarchism/markdown/secA1.md.gz": b"twice",
        },
    )

    (text,) = _read("anarchism-faq", package)

    assert text.decode().split("\n\n") == [
        "Head",
        "One slanted word & Proud\xadhon’s.",
        "Next line",
        "a",
        "b\n",
    ]


def test_an_entry_that_is_not_a_corpus_is_refused(tmp_path):
    with pytest.raises(BadData, match="men is of the kind pairs, not a corpus"):
        _read("men", tmp_path / "none")


# Documents or blocks, and words separated by ASCII spaces; for tagged Brown as counted by NLTK.
COUNTS = {
    "wikitext-2": (720, 2_507_007),
    "brown": (2, 1_026_595),
    "gutenberg": (18, 2_135_242),
    "sotu": (233, 1_794_884),
    "imdb": (50_000, 11_443_073),
    "20newsgroups": (18_821, 5_004_656),
    "anarchism-faq": (143, 1_842_232),
    "mill-logic": (1, 410_423),
    "russell-mind": (1, 89_111),
    "russell-mysticism": (1, 71_804),
    "russell-external-world": (1, 71_270),
    "russell-problems": (1, 42_756),
}


@pytest.mark.parametrize("name", COUNTS)
def test_the_real_texts_have_their_words(name):
    texts = documents(catalogue()[name], kept(name))
    counts = [len(text.decode("utf-8").encode().split()) for text in texts]

    assert (len(counts), sum(counts)) == COUNTS[name]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("brown", (500, 1_161_192)),
        ("20newsgroups", (18_821, 5_004_656)),
        ("mill-logic", (1, 410_423)),
        ("russell-mind", (1, 89_111)),
        ("russell-mysticism", (1, 71_804)),
        ("russell-external-world", (1, 71_270)),
        ("russell-problems", (1, 42_756)),
    ],
)
def test_the_shared_copies_are_found_and_read(name, counts):
    paths = LocalData(shared()).paths(name)

    words = [len(text.split()) for text in documents(catalogue()[name], paths)]

    assert (len(words), sum(words)) == counts


def test_the_shared_reviews_are_found_by_their_content():
    (path,) = LocalData(shared()).paths("imdb")

    assert path.name == "reviews.json.gz"


def test_every_corpus_has_been_counted():
    corpora = {entry.name for entry in catalogue().values() if entry.kind == "corpus"}

    assert corpora == set(COUNTS)
