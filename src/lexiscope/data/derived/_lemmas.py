"""Lemmatisation: from a word form to its verb, noun or adjective."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from lexiscope.data.derived._spelling import is_plain, singulars
from lexiscope.data.wordnet import WordNet

# Each group: a verb and its irregular forms. Most packages lack WordNet's own list.
_IRREGULAR = """
arise arose arisen, awake awoke awoken, be am is are was were been, bear bore borne born,
beat beaten, become became, begin began begun, bend bent, bind bound, bite bit bitten, bleed bled,
blow blew blown, break broke broken, breed bred, bring brought, build built, burn burnt, buy bought,
catch caught, choose chose chosen, cling clung, come came, creep crept, deal dealt, dig dug,
do does did done, draw drew drawn, dream dreamt, drink drank drunk, drive drove driven,
eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, flee fled,
fling flung, fly flew flown, forbid forbade forbidden, forget forgot forgotten,
forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given, go goes went gone,
grind ground, grow grew grown, hang hung, have has had, hear heard, hide hid hidden, hold held,
keep kept, kneel knelt, know knew known, lay laid, lead led, lean leant, leap leapt, learn learnt,
leave left, lend lent, lie lay lain lying, light lit, lose lost, make made, mean meant, meet met,
mislead misled, mistake mistook mistaken, overcome overcame, overtake overtook overtaken,
pay paid, prove proven, ride rode ridden, ring rang rung, rise rose risen, run ran, say said,
see saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, shine shone,
shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept,
slide slid, smell smelt, sow sown, speak spoke spoken, speed sped, spell spelt, spend spent,
spill spilt, spin spun, spit spat, spoil spoilt, spring sprang sprung, stand stood,
steal stole stolen, stick stuck, sting stung, stink stank stunk, strike struck stricken,
string strung, strive strove striven, swear swore sworn, sweep swept, swell swollen,
swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told,
think thought, throw threw thrown, tie tying, die dying, understand understood,
undertake undertook undertaken, wake woke woken, wear wore worn, weave wove woven, weep wept,
win won, wind wound, withdraw withdrew withdrawn, withstand withstood, wring wrung,
write wrote written
"""


def _irregular() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for group in _IRREGULAR.replace("\n", " ").split(","):
        verb, *forms = group.split()
        for form in forms:
            found[form] = (*found.get(form, ()), verb)
    return found


IRREGULAR = _irregular()


@dataclass(frozen=True, eq=False)
class Lemmas:
    """Lemmatises with a WordNet and caches the results."""

    wordnet: WordNet
    _verbs: dict[str, str | None] = field(default_factory=dict, init=False)
    _others: dict[tuple[str, str], str | None] = field(default_factory=dict, init=False)

    def verb(self, form: str) -> str | None:
        """Return the verb of a form: of those in WordNet, the one with the highest tag count."""
        if form not in self._verbs:
            known = [verb for verb in self._verbs_of(form) if (verb, "v") in self.wordnet.senses]
            self._verbs[form] = max(known, key=self._verb_count, default=None)
        return self._verbs[form]

    def mostly(self, form: str, pos: str) -> str | None:
        """Return the noun or adjective of a form, if that is its main part of speech."""
        if (form, pos) not in self._others:
            lemmas = [form, *singulars(form)] if pos == "n" else [form]
            known = (lemma for lemma in lemmas if self._is_mostly(lemma, pos))
            self._others[form, pos] = next(known, None)
        return self._others[form, pos]

    def _is_mostly(self, lemma: str, pos: str) -> bool:
        tagged = is_plain(lemma) and self.wordnet.count(lemma, pos) > 0
        # Proper names are capitalised in their synsets.
        lower = tagged and lemma in self.wordnet.of(lemma, pos)[0].lemmas
        return lower and self.wordnet.part_of_speech(lemma) == pos

    def _verb_count(self, verb: str) -> int:
        return self.wordnet.count(verb, "v")

    def _verbs_of(self, form: str) -> list[str]:
        irregular = (*IRREGULAR.get(form, ()), *self.wordnet.forms.get((form, "v"), ()))
        return [*irregular] or [form, *_regular(form)]


def _regular(form: str) -> Iterator[str]:
    """Candidate verbs of a regular form: -s -es -ies, -d -ed -ied, -ing, doubled consonants."""
    if form.endswith("s") and not form.endswith("ss"):
        yield from (form[:-1], form[:-2] if form.endswith("es") else "")
    for ending in ("ed", "ing"):
        stem = form.removesuffix(ending)
        if stem != form and len(stem) > 1:
            yield from (stem, stem + "e")
            if stem[-1] == stem[-2]:
                yield stem[:-1]
    if form.endswith(("ies", "ied")):
        yield form[:-3] + "y"
