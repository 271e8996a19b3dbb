"""WordNet from its own dictionary files (wndb(5WN), senseidx(5WN), cntlist(5WN)).

A folder with the files, the archive of a package that holds one, or the catalogue's copy.
"""

from lexiscope.data.wordnet._finding import catalogued, find, load
from lexiscope.data.wordnet._names import FILES, POINTERS
from lexiscope.data.wordnet._value import Relation, Synset, WordNet

__all__ = ["FILES", "POINTERS", "Relation", "Synset", "WordNet", "catalogued", "find", "load"]
