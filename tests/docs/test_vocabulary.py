"""Private terms that stand in for a standard one do not come back."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Few and certain: each of these is wrong wherever it occurs. The standard term is on the right.
PRIVATE = {
    r"foretell\w*": "predict",
    r"made (languages?|texts?|corpora)": "synthetic language, synthetic corpus",
    r"(?-i:lessons?)": "training set",  # capitalised in the title of Levy et al. 2015
    r"(not )?told apart": "not significantly different",
    r"really (better|worse)": "significantly better, worse",
    r"errands?": "execution",
    r"dealt out": "permuted, stratified",
    r"drawn words?": "negative samples",
    r"anew": "again, from scratch",
    r"at hand": "available locally",
    r"running words?": "tokens",
    r"straight cuts?": "linear classifier",
    r"joint orders?": "consensus ranking",
    r"hangs? on chance": "is random",
}
FILES = sorted(
    path
    for folder in ("src", "docs", "benchmarks", "tests")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".pyi", ".md", ".toml", ".j2"}
    and "reference" not in path.parts  # its recorded keys have former names
    and path != Path(__file__)
) + sorted(ROOT.glob("*.md"))


@pytest.mark.parametrize("term", PRIVATE)
def test_private_terms_do_not_occur(term):
    pattern = re.compile(rf"\b{term}\b", re.IGNORECASE)

    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in FILES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if pattern.search(line.replace("_", " "))
    ]

    assert not found, f"write '{PRIVATE[term]}':\n" + "\n".join(found)


def test_a_private_term_is_found_in_prose_and_in_identifiers():
    pattern = re.compile(rf"\b(?:{'|'.join(PRIVATE)})\b", re.IGNORECASE)

    assert pattern.search("skip-gram foretells each word")
    assert pattern.search("not_at_hand".replace("_", " "))
    assert not pattern.search("skip-gram predicts each context word")
