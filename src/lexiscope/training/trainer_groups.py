"""The trainers by kind, and the names under which other programs and papers know them."""

from collections.abc import Iterable

GROUPS = {
    "Start here": ("skipgram", "svd"),
    "Predictive models": ("cbow", "structured", "cwindow", "lbl", "attention", "senna", "pdc",
                          "hdc"),
    "Count-based models": ("ppmi", "glove", "lsa", "hpca", "autoencoder", "tscca", "projection"),
    "Models of single terms, with the vectors of other words given":
        ("additive", "alacarte", "nonce2vec"),
    "Changes of existing vectors": ("retrofit",),
}  # fmt: skip
_OTHERS = "Other trainers"

_ALIASES = {
    "word2vec": ("skipgram", "cbow"),
    "w2v": ("skipgram", "cbow"),
    "sgns": ("skipgram",),
    "sg": ("skipgram",),
    "skip": ("skipgram",),
    "fasttext": ("skipgram", "cbow"),
    "lsi": ("lsa",),
    "hyperwords": ("svd",),
    "ppmisvd": ("svd",),
    "pmi": ("ppmi",),
    "pca": ("hpca",),
    "hellinger": ("hpca",),
    "cca": ("tscca",),
    "wang2vec": ("structured", "cwindow"),
    "ssg": ("structured",),
    "sskip": ("structured",),
    "cwin": ("cwindow",),
    "vlbl": ("lbl",),
    "cw": ("senna",),
    "candw": ("senna",),
    "collobert": ("senna",),
    "doc2vec": ("pdc",),
    "paragraphvectors": ("pdc",),
    "randomprojection": ("projection",),
    "retrofitting": ("retrofit",),
    "n2v": ("nonce2vec",),
}


def grouped(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the names by group, in the order in which a reader needs them; others come last."""
    known = list(names)
    found = {title: [n for n in group if n in known] for title, group in GROUPS.items()}
    listed = {name for group in found.values() for name in group}
    found[_OTHERS] = [name for name in known if name not in listed]
    return {title: group for title, group in found.items() if group}


def usual_names(name: str) -> tuple[str, ...]:
    """Return our trainers of the model that is usually called so; empty if there is none.

    >>> usual_names("Word2Vec"), usual_names("C&W"), usual_names("LSA"), usual_names("elmo")
    (('skipgram', 'cbow'), ('senna',), ('lsa',), ())
    """
    plain = "".join(c for c in name.casefold().replace("&", "and") if c.isalnum())
    ours = {name for group in GROUPS.values() for name in group}
    return (plain,) if plain in ours else _ALIASES.get(plain, ())
