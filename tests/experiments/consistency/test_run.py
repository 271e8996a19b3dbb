"""Consistency from end to end, on a synthetic text with a synthetic background."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from lexiscope.core.corpus import corpus as corpus_of
from lexiscope.core.corpus import sentences_of
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.core.execution import Execution
from lexiscope.data.inputs import Inputs
from lexiscope.experiments.consistency.results import ConsistencyOptions
from lexiscope.experiments.consistency.run import consistency
from lexiscope.experiments.consistency.samples import SamplingRule
from lexiscope.experiments.consistency.source import TermChoice
from lexiscope.experiments.consistency.stability import resampled
from lexiscope.report import consistency as report
from lexiscope.store.store import Store

TOPICS, WORDS = 24, 12


def background(seed=0, dimension=16):
    """Words of each topic are near its centre."""
    rng = np.random.default_rng(seed)
    words = [f"t{topic}w{n}" for topic in range(TOPICS) for n in range(WORDS)]
    centres = np.repeat(rng.normal(size=(TOPICS, dimension)), WORDS, axis=0)
    return words, centres + 0.3 * rng.normal(size=centres.shape)


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """A term of each topic occurs in 20 sentences of words of its topic."""
    rng = np.random.default_rng(1)
    lines = []
    for topic in range(TOPICS):
        words = [f"t{topic}w{n}" for n in range(WORDS)]
        for _ in range(20):
            sentence = [*rng.choice(words, 5), f"term{topic}", *rng.choice(words, 5)]
            lines.append(f"The {' '.join(sentence)} end.")
    path = tmp_path_factory.mktemp("book") / "book.txt"
    path.write_text("\n".join(rng.permutation(lines)) + "\n", "utf-8")
    return path


TERMS = TermChoice([f"term{topic}" for topic in range(TOPICS)])
RULE = SamplingRule("random", 2, 5)
SMALL = ConsistencyOptions(draws=99)


def run(text, **options):
    defaults = {"choice": TERMS, "models": "additive", "rule": RULE}
    return consistency(str(text), {"space": background()}["space"], **{**defaults, **options})


def test_terms_with_contexts_of_their_own_are_learnable(text):
    found = run(text)

    model = found.model("additive", "random")
    assert len(found.of_model("additive", "random")) == TOPICS
    assert sum(each.verdict == "learnable" for each in found.of_model("additive", "random")) > 20
    assert "learnable" in json.dumps(found.to_dict())
    assert model is not None


def test_permuting_the_terms_destroys_consistency(text, tmp_path):
    rng = np.random.default_rng(2)
    lines = text.read_text("utf-8").splitlines()
    names = [word for line in lines for word in line.split() if word.startswith("term")]
    shuffled = iter(rng.permutation(names))
    mixed = [
        " ".join(next(shuffled) if word.startswith("term") else word for word in line.split())
        for line in lines
    ]
    path = tmp_path / "mixed.txt"
    path.write_text("\n".join(mixed) + "\n", "utf-8")

    found = run(path).of_model("additive", "random")

    assert sum(each.verdict == "learnable" for each in found) <= 4


def test_the_same_command_takes_stored_vectors(text, tmp_path):
    store = tmp_path / "s.sqlite"
    first = run(text, execution=Execution(store))
    with Store(store) as opened:
        before = opened._rows("SELECT count(*), max(rowid) FROM term_vectors")
    second = run(text, execution=Execution(store))
    with Store(store) as opened:
        assert opened._rows("SELECT count(*), max(rowid) FROM term_vectors") == before
    assert first.to_dict()["terms"] == second.to_dict()["terms"]


def test_halves_and_the_report(text):
    found = run(text, rule=SamplingRule("halves"))

    assert "two halves" in report.page(found)
    assert report.csv(found).count("\n") > TOPICS


def test_models_that_the_background_does_not_allow_are_named(text):
    found = run(text, models=())

    assert any("nonce2vec is left out" in note for note in found.notes)
    with pytest.raises(BadData, match="output vectors"):
        run(text, models="nonce2vec")


def test_wrong_input_gets_one_clear_sentence(text, tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("", "utf-8")
    with pytest.raises(BadData, match="empty: contains no words"):
        run(empty)
    with pytest.raises(BadData, match=r"never|none of the|does not occur|no term"):
        run(text, choice=TermChoice(["unheard"]))
    with pytest.raises(UnknownName, match="No model named 'additve'") as caught:
        run(text, models="additve")
    assert str(caught.value).count(" nonce2vec") == 1  # a model of terms and a trainer
    with pytest.raises(BadUsage, match="Choose one source of terms"):
        TermChoice(["a"], keywords=3)


def test_a_trainer_on_marked_text_has_a_space_of_its_own(text):
    found = run(text, models=("additive", "svd"), settings={"svd.dimension": 10})

    joint = found.model("svd", "random")
    assert joint.rank.value is None
    assert joint.centred.excess.value > 0.1
    assert any("marked terms, without a background text" in note for note in found.notes)


def test_a_trainer_is_trained_again_if_the_samples_are_others(text, tmp_path):
    store = Execution(tmp_path / "s.sqlite")
    options = {"models": "svd", "settings": {"svd.dimension": 10}}
    run(text, **options, execution=store)

    for rule in (SamplingRule("random", 2, 3), SamplingRule("random", 3, 5)):
        expected = run(text, **options, rule=rule)
        found = run(text, **options, rule=rule, execution=store)
        assert found.to_dict()["terms"] == expected.to_dict()["terms"]


COUNTS = {f"t{topic}w{n}": 5 + 200 * (n == 0) for topic in range(TOPICS) for n in range(WORDS)}


def test_a_model_without_random_numbers_is_not_learned_again(text):
    found = run(text, retrainings=3)

    assert found.stability == ()
    assert "additive: uses no random numbers, so another seed changes nothing." in found.notes


def test_a_random_model_is_learned_again_with_other_seeds(text, write_counts):
    inputs = Inputs(frequencies=write_counts(COUNTS))
    found = run(text, retrainings=3, inputs=inputs, settings={"additive.subsample": 1e-4})

    (stability,) = found.stability
    assert (stability.source, stability.repeats, stability.terms) == ("seed", 3, TOPICS)
    assert 0 < stability.common.value < 1
    again = run(text, retrainings=3, inputs=inputs, settings={"additive.subsample": 1e-4})
    assert again.stability == found.stability


def test_resampled_documents_of_a_folder_change_all_terms_together(tmp_path, text):
    lines = text.read_text("utf-8").splitlines()
    for number in range(6):
        (tmp_path / f"{number}.txt").write_text("\n".join(lines[number::6]) + "\n", "utf-8")

    found = run(tmp_path, resamples=4)

    assert found.stability[0].source == "resampled documents"
    assert found.stability[0].repeats == 4


@pytest.fixture
def write_counts(tmp_path):
    def write(counts):
        path = tmp_path / "counts.tsv"
        rows = "".join(f"{word}\t{count}\n" for word, count in counts.items())
        path.write_text("word\tcount\n" + rows, "utf-8")
        return path

    return write


def test_a_table_of_frequencies_replaces_the_counts_of_the_background(text, write_counts):
    table = write_counts({"the": 900, "end": 1, "t0w0": 3})
    found = run(text, choice=TermChoice(keywords=1), inputs=Inputs(frequencies=table))

    assert [each.term for each in found.terms] == ["end"]
    assert f"log-likelihood ratio against {table}" in found.notes[0]
    assert found.manifest["background"]["counts"]
    plain = run(text)
    assert plain.manifest["background"]["sha256"] != found.manifest["background"]["sha256"]


@pytest.mark.parametrize(
    ("counts", "message"),
    [({"t0w0": -1}, "is -1, not a number"), ({"t0w0": 0.5}, "is 0.5"), ({"x": 1}, "no word of")],
)
def test_frequencies_that_are_no_counts_are_an_error(text, write_counts, counts, message):
    with pytest.raises(BadData, match=message):
        run(text, inputs=Inputs(frequencies=write_counts(counts)))


def test_keywords_are_compared_with_the_background_text_if_there_are_no_other_counts(text):
    names = [f"x{chr(97 + k // 26)}{chr(97 + k % 26)}" for k in range(600)]
    other = [["the"] * 50, *([name, name] for name in names), ["end"]]
    found = run(text, choice=TermChoice(keywords=1), background_text=write_sentences(text, other))

    assert [each.term for each in found.terms] == ["end"]
    assert "against other" in found.notes[0]


def write_sentences(text, sentences):
    path = text.parent / "other.txt"
    path.write_text("\n".join(" ".join(each) + "." for each in sentences) + "\n", "utf-8")
    return path


def test_invalid_characters_of_the_text_are_replaced_on_request_and_reported(tmp_path, text):
    path = tmp_path / "broken.txt"
    path.write_bytes(text.read_bytes() + b"caf\xe9 closes.\n")

    with pytest.raises(BadData, match="--on-error replace"):
        run(path)
    found = run(path, inputs=Inputs(on_error="replace"))

    (repair,) = found.manifest["text"]["repairs"]
    assert repair in found.notes


def test_a_trainer_has_a_size_effect_too(text):
    found = run(text, models="svd", settings={"svd.dimension": 8})

    assert [each.sentences for each in found.size_effect] == [1, 2, 3, 4, 8, 0]
    cosines = [each.cosine.value for each in found.size_effect]
    assert cosines[0] < cosines[-1]


def test_the_map_is_named_in_the_settings_without_its_numbers(text):
    found = run(text, models="alacarte")

    settings = found.manifest["models"][0]["settings"]
    assert settings["map"].startswith("learned from book, sha256 ")


def test_a_model_without_randomness_has_the_same_neighbours_in_every_training(text):
    found = run(text, models="svd", settings={"svd.dimension": 10}, retrainings=3)

    (stability,) = found.stability
    assert (stability.source, stability.repeats, stability.common.value) == ("seed", 3, 1.0)


def test_neighbours_of_resampled_sentences_come_from_the_topic_of_a_term(text):
    found = run(text, resamples=5)

    assert found.stability[0].source == "resampled sentences"
    assert len(found.stable_neighbours) == TOPICS
    for each in found.stable_neighbours:
        topic = each.term.removeprefix("term")
        assert all(word.startswith(f"t{topic}w") for word, share in each.neighbours if share == 1)
    assert "half or more of the resamples" in report.page(found)


def test_a_model_is_compared_under_two_labels(text):
    labels = {"sum": "additive", "sum of near words": "additive"}
    found = run(text, models=labels, settings={"sum of near words.window": 1})

    assert [each.model for each in found.models] == list(labels)
    assert found.models[0].raw.cosine.value != found.models[1].raw.cosine.value


def test_a_trainer_is_trained_on_resamples(text):
    found = run(text, models="svd", resamples=3, settings={"svd.dimension": 10})

    (stability,) = found.stability
    assert (stability.source, stability.repeats) == ("resampled sentences", 3)
    assert 0 < stability.common.value < 1
    assert "resamples of sentences" in report.page(found)


def test_documents_are_drawn_completely_with_replacement():
    text = read_texts_of([["a", "b"], ["c"]], [["d", "e", "f"]], [["g"], [], ["h", "a"]])
    documents = {0: "a b / c", 1: "d e f", 2: "g /  / h a"}

    for seed in range(20):
        found = resampled(text, np.random.default_rng(seed))
        drawn = np.random.default_rng(seed).integers(3, size=3).tolist()
        assert documents_of(found) == [documents[k] for k in drawn]


def test_one_document_is_resampled_by_sentences():
    text = corpus_of("text", [["a", "b"], ["c"], ["d"]])

    found = resampled(text, np.random.default_rng(0))

    assert (found.sentences, len(found.documents)) == (3, 4)
    assert set(documents_of(found)) <= {"a b", "c", "d"}


def read_texts_of(*documents):
    sentences = [sentence for each in documents for sentence in each]
    ends = np.cumsum([0, *map(len, documents)]).astype(np.int64)
    return replace(corpus_of("text", sentences), documents=ends)


def documents_of(corpus):
    sentences = [" ".join(each) for each in sentences_of(corpus)]
    return [" / ".join(sentences[a:b]) for a, b in pairwise(corpus.documents.tolist())]


def test_the_cutoff_holds_for_keywords_and_random_words():
    often, seldom = ["owl", "bat"], ["fox", "hen"]
    text = [["some", word, "here"] for word in often * 30 + seldom * 12]
    space = ["some", "here"], np.eye(2)
    for choice in (TermChoice(), TermChoice(random=500)):
        options = {"choice": choice, "models": "additive", "options": SMALL}
        everything = consistency(text, space, rule=SamplingRule("random", 2, 5), **options)
        found = consistency(text, space, rule=SamplingRule("random", 2, 5, 30), **options)

        assert {*often, *seldom} <= {each.term for each in everything.terms}
        assert {each.term for each in found.terms} - {"some", "here"} == set(often)
        assert found.left_out == ()
        assert "with 30 occurrences or more" in found.notes[0]


def test_development_and_test_terms_are_all_terms(text):
    parts = [run(text, choice=replace(TERMS, part=part)) for part in ("development", "test")]

    found = [each.term for part in parts for each in part.terms]
    assert sorted(found) == sorted(TERMS.terms)
    assert f"Only the test terms, {len(parts[1].terms)} of {TOPICS}." in parts[1].notes[0]
    with pytest.raises(BadUsage, match="development or test"):
        TermChoice(part="dev")


def test_own_options_keep_the_size_of_the_text(text):
    found = run(text, options=ConsistencyOptions(neighbours=3))

    assert found.options.text_tokens == found.manifest["text"]["tokens"] > 0
    assert found.options.neighbours == 3


def test_published_samples_refuse_other_terms_and_splits():
    for options in ({"choice": TERMS}, {"choice": TermChoice(), "rule": SamplingRule("halves")}):
        with pytest.raises(BadUsage, match="wiki-rnd has terms and samples of its own"):
            run("wiki-rnd", **options)


def test_a_text_of_two_thousand_words_names_what_cannot_be_tested(tmp_path):
    rng = np.random.default_rng(4)
    words, _ = background()
    sentences = [f"The {' '.join(rng.choice(words, 8))} owl." for _ in range(60)]
    sentences += [f"The {' '.join(rng.choice(words, 8))} bat." for _ in range(140)]
    path = tmp_path / "short.txt"
    path.write_text("\n".join(rng.permutation(sentences)) + "\n", "utf-8")

    found = run(path, choice=TermChoice(["owl", "bat", "fox"]), rule=None)

    assert found.manifest["text"]["tokens"] == 2000
    assert {each.term: each.verdict for each in found.terms} == {
        "owl": "untested",
        "bat": "untested",
    }
    assert found.left_out == (("fox", "does not occur in the text"),)
    assert "fewer than 20 terms no term can be tested" in found.warnings[-1]


def test_a_text_in_another_language_than_the_background_is_a_warning(tmp_path):
    rng = np.random.default_rng(5)
    german = ["eule", "sieht", "nachts", "und", "jagt", "mäuse", "wald", "ruft", "t0w0"]
    lines = [f"Die {' '.join(rng.choice(german, 8))} eule." for _ in range(60)]
    path = tmp_path / "eulen.txt"
    path.write_text("\n".join(lines) + "\n", "utf-8")

    found = run(path, choice=TermChoice(["eule"]))

    assert "may be in different languages" in found.warnings[0]


def test_an_empty_text_is_one_sentence(tmp_path):
    (tmp_path / "empty.txt").write_text("", "utf-8")

    with pytest.raises(BadData, match="no word"):
        run(tmp_path / "empty.txt")
