"""Books of Project Gutenberg without the header, the licence and the note of the producers."""

import re

_START = re.compile(rb"^\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG EBOOK.*$", re.M)
_END = re.compile(rb"^(?:\*\*\* ?)?END OF (?:THE |THIS )?PROJECT GUTENBERG", re.M | re.I)
_PRODUCED = re.compile(rb"\s*(?:E-text prepared|Produced|Transcribed) by(?:.+\n)+")


def body(text: bytes) -> bytes:
    """Return the text between the start and end lines, without the paragraph on its producers.

    A text without these lines is returned as it is, with LF line ends and no byte order mark.
    """
    text = text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    start, end = _START.search(text), _END.search(text)
    if start is None or end is None or end.start() < start.end():
        return text
    text = text[start.end() : end.start()]
    produced = _PRODUCED.match(text)
    return text[produced.end() :] if produced else text
