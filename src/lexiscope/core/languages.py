"""Language tags: BCP 47 tags of a language, and of a region where it matters (fr, de-CH, pt-BR)."""

import re
from difflib import get_close_matches
from types import MappingProxyType

from lexiscope.core.errors import BadUsage

_NAMES = """
af Afrikaans, ar Arabic, az Azerbaijani, be Belarusian, bg Bulgarian, bn Bengali, br Breton,
ca Catalan, crh Crimean Tatar, cs Czech, cy Welsh, da Danish, de German, el Greek, en English,
eo Esperanto, es Spanish, et Estonian, eu Basque, fa Persian, fi Finnish, fr French, ga Irish,
gag Gagauz, gl Galician, gn Guarani, gu Gujarati, he Hebrew, hi Hindi, hr Croatian, hu Hungarian,
hy Armenian, id Indonesian, is Icelandic, it Italian, ja Japanese, ka Georgian, kk Kazakh,
kn Kannada, ko Korean, la Latin, lt Lithuanian, lv Latvian, mk Macedonian, ml Malayalam,
mr Marathi, ms Malay, mt Maltese, nb Norwegian Bokmål, ne Nepali, nl Dutch, nn Norwegian Nynorsk,
no Norwegian, oc Occitan, pl Polish, pt Portuguese, ro Romanian, ru Russian, sk Slovak,
sl Slovenian, sq Albanian, sr Serbian, sv Swedish, sw Swahili, ta Tamil, te Telugu, th Thai,
tl Tagalog, tr Turkish, uk Ukrainian, ur Urdu, vi Vietnamese, yi Yiddish, yo Yoruba, zh Chinese,
zu Zulu
"""
LANGUAGES = MappingProxyType(
    dict(each.split(maxsplit=1) for each in " ".join(_NAMES.split()).split(", "))
)
_TAG = re.compile(r"([a-z]{2,3})(-[a-z]{4})?(-(?:[a-z]{2}|[0-9]{3}))?", re.IGNORECASE)


def language_tag(text: str) -> str:
    """Return a language tag in its usual letter case; an error if it is none.

    Examples
    --------
    >>> language_tag("FR"), language_tag("pt_br"), language_tag("zh-hant-tw")
    ('fr', 'pt-BR', 'zh-Hant-TW')
    """
    found = _TAG.fullmatch(text.replace("_", "-"))
    if found is None or found[1].lower() not in LANGUAGES:
        raise BadUsage(_unknown(text))
    language, script, region = found.groups("")
    return language.lower() + script.title() + region.upper()


def language_name(tag: str) -> str:
    """Return the English name of a language, with its region; the tag itself if it has none."""
    language, dash, rest = tag.partition("-")
    return f"{LANGUAGES.get(language, language)}{f' ({rest})' if dash else ''}"


def speaks(tag: str, wanted: str) -> bool:
    """Whether data with a tag are in a wanted language.

    A language includes its regions, and a region includes data without a region.

    Examples
    --------
    >>> speaks("pt-BR", "pt"), speaks("pt", "pt-BR"), speaks("pt-PT", "pt-BR")
    (True, True, False)
    """
    return tag == wanted or tag.startswith(f"{wanted}-") or wanted.startswith(f"{tag}-")


def _unknown(text: str) -> str:
    meant = _meant(text)
    hint = f" Did you mean '{meant}' ({LANGUAGES[meant]})?" if meant else ""
    return f"'{text}' is not a language tag such as fr, de-CH or pt-BR.{hint}"


def _meant(text: str) -> str:
    """The tag of the language with the most similar name or three-letter code, or ""."""
    by_name = {name.casefold(): tag for tag, name in LANGUAGES.items()}
    near = get_close_matches(text.casefold(), by_name, n=1, cutoff=0.75)
    codes = [tag for tag in LANGUAGES if len(text) == 3 and text.casefold().startswith(tag)]
    return by_name[near[0]] if near else codes[0] if codes else ""
