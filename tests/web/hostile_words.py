"""Words that try to inject markup or scripts into a page, or to break its layout."""

from tests.report.hostile_words import HOSTILE

_HANDLERS = ("onerror", "onload", "onfocus", "onmouseover", "ontoggle", "onanimationstart",
             "onpointerenter", "onbeforetoggle", "onscrollend", "oncopy")  # fmt: skip
_ELEMENTS = ("svg", "math", "video src=x", "audio src=x", "details open", "input autofocus",
             "body", "marquee", "object data=x", "embed src=x")  # fmt: skip
_SCHEMES = ("JaVaScRiPt:", "java\tscript:", "\x01javascript:", "vbscript:",
            "data:text/html,", "data:image/svg+xml,", "blob:", "file:///etc/passwd#")  # fmt: skip
_TEMPLATES = ("{{config}}", "{{''.__class__.__mro__}}", "{%include 'base.html.j2'%}", "{#x#}",
              "${7*7}", "#{7*7}", "<%= 7*7 %>", "{{constructor.constructor('alert(1)')()}}",
              "[[7*7]]", "%(x)s {0} {x!r}", "[bold red]x[/]", "\\x1b[2J")  # fmt: skip
_MARKUP = (
    "<script src=//example.org></script>", "<SCRIPT>alert(1)</SCRIPT>", "<scr<script>ipt>",
    "</bdi></label></form><script>alert(1)</script>", "</title><script>alert(1)</script>",
    "</textarea><img src=x onerror=alert(1)>", "</style><script>alert(1)</script>",
    "<svg><script>alert(1)</script></svg>", "<svg><animate onbegin=alert(1)>",
    "<math><mi xlink:href=javascript:alert(1)>x", "<a href=javascript:alert(1)>x</a>",
    "<form action=//example.org><button>x", "<button formaction=javascript:alert(1)>x",
    "<link rel=stylesheet href=//example.org>", "<img srcset=//example.org/x>",
    "<iframe srcdoc='<script>alert(1)</script>'>", "<template><script>alert(1)</script>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>", "<plaintext>", "<xmp>",
    "<input type=radio name=choice value=0 checked>", "<input type=hidden name=item value=x>",
    '" onfocus=alert(1) autofocus x="', "' onfocus=alert(1) autofocus x='",
    "` onfocus=alert(1) `", "--><script>alert(1)</script>", "<![CDATA[<script>alert(1)</script>",
    "<?xml-stylesheet href='javascript:alert(1)'?>", "&#x3C;script&#x3E;alert(1)", "&amp;lt;b&gt;",
    "%3Cscript%3Ealert(1)%3C/script%3E", "\\u003cscript\\u003ealert(1)", "＜script＞alert(1)",
    "+ADw-script+AD4-alert(1)", "\ufeff<script>alert(1)</script>",
)  # fmt: skip
_TEXT = (
    "nul\x00byte", "bell\x07 back\x08space", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b31m",
    "line\nbreak", "carriage\rreturn", "tab\there", "\u202eright to left", "\u2066isolate",
    "\u2069\u2069\u202c", "\u200emarks\u200f\u061c", "zero\u200bwidth", "\u00adsoft\u00adhyphen",
    "Z" + "\u0301\u0316" * 60, "\u0e4f" + "\u0e49" * 40, "﷽" * 30, "\U000e0001tag", "\uffff",
    "👩‍👩‍👧‍👦" * 12, "\u3164", "W" * 10_000, "x " * 5_000, "م" * 400, "शब्द" * 60,
)  # fmt: skip

# Each is different from the others also as it is shown.
WORDS = (
    *HOSTILE,
    *(f"<{element} {handler}=alert(1)>"
      for element, handler in zip(_ELEMENTS, _HANDLERS, strict=True)),
    *(f"{scheme}alert(1)" for scheme in _SCHEMES),
    *_TEMPLATES,
    *_MARKUP,
    *_TEXT,
)  # fmt: skip
