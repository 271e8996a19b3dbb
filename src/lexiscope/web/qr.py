"""QR codes of links, as SVG images."""

from markupsafe import Markup

from lexiscope.core.errors import BadData

_QUIET = 4  # modules of white around the code


def svg(text: str) -> Markup:
    """Return the QR code of a text as an SVG image."""
    import segno

    try:
        code = segno.make_qr(text, error="m")
    except segno.DataOverflowError:
        raise BadData(f"The link has {len(text):,} characters, too many for a QR code.") from None
    size = code.symbol_size(border=_QUIET)[0]
    path = "".join(
        f"M{x + _QUIET},{y + _QUIET}h1v1h-1z"
        for y, row in enumerate(code.matrix)
        for x, dark in enumerate(row)
        if dark
    )
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {0}" role="img" '
        'aria-label="QR code of the link" shape-rendering="crispEdges">'
        '<rect width="{0}" height="{0}" fill="#fff"/><path d="{1}" fill="#000"/></svg>'
    ).format(size, path)
