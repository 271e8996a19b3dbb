import re

import pytest

from lexiscope.core.datasets import KINDS
from lexiscope.core.errors import UnknownName
from lexiscope.data.catalogue import OTHER_KINDS, catalogue, chosen

REQUIRED = [
    "glove-6b-50d",
    "glove-6b-100d",
    "ws353",
    "ws353-similarity",
    "ws353-relatedness",
    "men",
    "rg65",
    "mc30",
    "simlex999",
    "simverb3500",
    "rw",
    "mturk287",
    "mturk771",
    "yp130",
    "card660",
    "google-analogies",
    "msr-analogies",
    "wikitext-2",
    "brown",
    "gutenberg",
    "sotu",
    "imdb",
    "20newsgroups",
    "anarchism-faq",
    "ppdb-xl",
    "framenet-lexicon",
    "wordnet-3.1",
    "wordnet-synonyms",
    "wordnet-categories",
    "ap",
    "esslli2008-nouns",
    "esslli2008-verbs",
    "battig",
    "bless",
    "sp10k-nsubj",
    "sp10k-dobj",
    "sp10k-amod",
    "keller-dobj",
    "keller-amod",
    "brysbaert2014",
    "qvec-supersenses",
    "qvec-ptb",
    "wordnet-supersenses",
    "conll2000",
    "conll2000-dev",
    "imdb-sentiment",
    "rt-sentences",
    "20newsgroups-science",
    "20newsgroups-sports",
    "20newsgroups-religion",
    "20newsgroups-computer",
    "sst-binary",
    "metaphor-pairs",
    "wordnet-noun",
    "wordnet-verb",
    "wordnet-adjective",
    "wordnet-person",
    "wordnet-artifact",
    "wordnet-similar-to",
    "wordnet-instance-of",
    "wordnet-antonym",
    "wordnet-derived-from",
    "wordnet-has-context",
    "wordnet-part-of",
    "lexicon-noun",
    "lexicon-verb",
    "lexicon-adjective",
    "lexicon-sentiment",
    "lexicon-connotation",
    "lexicon-colour",
    "lexicon-act",
    "lexicon-change",
    "mill-logic",
    "russell-mind",
    "russell-mysticism",
    "russell-external-world",
    "russell-problems",
    "wiki-rnd",
    "wiki-rnd-marked",
    "nonce-definitions",
    "chimeras-2",
    "chimeras-4",
    "chimeras-6",
]

# No package contains these; they come from a URL or from your own folder.
ADDRESS_ONLY = {"ap", "esslli2008-nouns", "esslli2008-verbs", "battig", "bless", "sp10k-nsubj",
                "sp10k-dobj", "sp10k-amod", "keller-dobj", "keller-amod", "ppdb-xl",
                "framenet-lexicon", "qvec-supersenses", "qvec-ptb", "conll2000", "conll2000-dev",
                "sst-binary", "metaphor-pairs", "lexicon-noun", "lexicon-verb",
                "lexicon-adjective", "lexicon-sentiment", "lexicon-connotation", "lexicon-colour",
                "lexicon-act", "lexicon-change", "mill-logic", "russell-mind",
                "russell-mysticism", "russell-external-world", "russell-problems", "wiki-rnd",
                "wiki-rnd-marked", "nonce-definitions", "chimeras-2", "chimeras-4",
                "chimeras-6", "it-simlex999", "ru-simlex999"}  # fmt: skip


@pytest.mark.parametrize("name", REQUIRED)
def test_every_required_dataset_is_in_the_catalogue(name):
    assert catalogue()[name].rows > 0


@pytest.mark.parametrize("entry", catalogue().values(), ids=catalogue())
def test_an_entry_can_be_downloaded_and_cited(entry):
    assert entry.licence
    assert entry.citation.strip().startswith("@")
    packaged = entry.sources[0].via in ("pypi", "npm", "debian", "derived")
    assert packaged != (entry.name in ADDRESS_ONLY)
    for origin in entry.sources:
        for file in origin.files:
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
            assert file.size > 0
            assert "/" not in file.name
            assert bool(file.url) == (origin.via == "url")
            assert file.member or origin.via in ("url", "derived") or file.size == origin.size
            assert file.url == "" or file.url.startswith("https://")


@pytest.mark.parametrize("entry", catalogue().values(), ids=catalogue())
def test_the_source_of_a_derived_entry_is_in_the_catalogue(entry):
    for origin in entry.sources:
        assert (origin.via == "derived") == bool(origin.derived_from) == bool(origin.recipe)
        if origin.derived_from:
            assert catalogue()[origin.derived_from].kind in ("wordnet", "thesaurus")
    assert (entry.fillers is not None) == (entry.kind == "preferences")
    if entry.fillers:
        assert catalogue()[entry.fillers.corpus].kind == "corpus"
        assert catalogue()[entry.fillers.wordnet].kind == "wordnet"


@pytest.mark.parametrize(
    ("suite", "number"),
    [
        ("synonymy", 1),
        ("categorization", 6),
        ("entity_typing", 1),
        ("preference", 5),
        ("norms", 1),
        ("corpus", 7),
        ("lexicon", 2),
        ("chunking", 2),
        ("sentiment", 2),
        ("classification", 5),
        ("metaphor", 1),
        ("curves", 11),
        ("curves-lexicons", 8),
        ("consistency", 11),
        ("similarity-multilingual", 30),
        ("analogy-multilingual", 16),
        ("norms-multilingual", 23),
        ("synonymy-multilingual", 24),
    ],
)
def test_the_new_suites_have_their_members(suite, number):
    assert len(chosen((suite,))) == number


def test_the_derived_datasets_are_part_of_the_demo():
    names = {entry.name for entry in chosen(("demo",))}

    assert {"wordnet-synonyms", "wordnet-categories"} <= names


@pytest.mark.parametrize("entry", catalogue().values(), ids=catalogue())
def test_every_kind_of_dataset_has_a_class(entry):
    assert entry.kind in KINDS or entry.kind in OTHER_KINDS


def test_a_suite_expands_to_its_members():
    names = [entry.name for entry in chosen(("analogy", "google-analogies"))]

    assert names == ["google-analogies", "msr-analogies"]


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(UnknownName, match="Did you mean 'simlex999'"):
        chosen(("simlex99",))
