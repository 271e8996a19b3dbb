"""Head and tail by occurrences."""

import pytest

import lexiscope
from lexiscope.core.errors import BadUsage
from lexiscope.data.inputs import Inputs
from tests.builders import counted, entities, seeded, synthetic_words, word_pairs

WORDS = synthetic_words(60)
ITEMS = entities(*((word, ("a", "b", "a|b")[k % 3]) for k, word in enumerate(WORDS)))
COUNTS = [500] * 20 + [50] * 20 + [4] * 20
NEAREST = {"entity_typing.classifier": "nearest"}


def test_head_and_tail_use_the_counts_of_the_first_embedding_for_all():
    rows = seeded("s", WORDS).vectors
    first = counted("first", WORDS, rows, COUNTS)
    second = counted("second", WORDS, rows, COUNTS[::-1])

    results = lexiscope.run(
        [first, second], "entity_typing", [ITEMS], settings=NEAREST, by="occurrences"
    )

    used = {(r.embedding, r.slice): (r.used, r.value) for r in results.breakdowns}
    head, tail = "occurrences: head (more than 100)", "occurrences: tail (fewer than 5)"
    assert set(used) == {(name, part) for name in ("first", "second") for part in (head, tail)}
    assert used["first", head] == used["second", head]
    assert {number for number, _ in used.values()} == {20}  # 50 times is in neither
    assert results.manifest["by"] == [{"name": "occurrences", "source": "text of first"}]


def test_words_that_are_missing_from_a_table_are_in_neither_head_nor_tail(tmp_path):
    table = tmp_path / "counts.tsv"
    table.write_text(
        "word\tcount\n" + "".join(f"W{k}\t{300 if k < 10 else 1}\n" for k in range(30))
    )

    results = lexiscope.run(
        seeded("s", WORDS),
        "entity_typing",
        [ITEMS],
        settings=NEAREST,
        by="occurrences",
        inputs=Inputs(frequencies=table),
    )

    assert [(r.slice[:17], r.used) for r in results.breakdowns] == [
        ("occurrences: head", 10),
        ("occurrences: tail", 20),
    ]


def test_the_rarer_word_of_a_pair_determines_the_band():
    vectors = counted("s", WORDS, seeded("s", WORDS).vectors, COUNTS)
    both = [(f"w{k}", f"w{k + 1}", k % 5) for k in range(10)]
    one = [(f"w{k}", f"w{k + 45}", k % 5) for k in range(10)]

    results = lexiscope.run(vectors, "similarity", word_pairs(*both, *one), by="occurrences")

    assert [r.used for r in results.breakdowns] == [10, 10]


def test_an_embedding_without_counts_raises_an_error():
    with pytest.raises(BadUsage, match="has no word counts"):
        lexiscope.run(
            seeded("s", WORDS), "entity_typing", [ITEMS], settings=NEAREST, by="occurrences"
        )
