"""WordNet from its own dictionary files (wndb(5WN), senseidx(5WN), cntlist(5WN)).

The files come from a folder, from the archive of a package, or from the catalogue.
"""

from lexiscope.data.wordnet._model import Relation, Synset, WordNet
from lexiscope.data.wordnet._names import FILES, POINTERS
from lexiscope.data.wordnet._sources import find, load, load_entry

__all__ = ["FILES", "POINTERS", "Relation", "Synset", "WordNet", "find", "load", "load_entry"]
