import re

import numpy as np
import pytest
import segno

from lexiscope.core.errors import BadData
from lexiscope.web.qr import svg

LINK = "https://study.example.org/"


def modules(image):
    """The dark modules that the path of an SVG image draws."""
    size = int(re.search(r'viewBox="0 0 (\d+) ', image).group(1))
    dark = np.zeros((size, size), bool)
    for x, y in re.findall(r"M(\d+),(\d+)h1v1h-1z", image):
        dark[int(y), int(x)] = True
    return dark


def test_the_image_has_the_modules_of_the_code_inside_four_white_ones():
    drawn = modules(svg(LINK))
    code = np.array(segno.make_qr(LINK, error="m").matrix, bool)
    assert np.array_equal(drawn[4:-4, 4:-4], code)
    assert not drawn[:4].any()
    assert not drawn[:, -4:].any()


def test_a_decoder_reads_the_link():
    cv2 = pytest.importorskip("cv2", reason="OpenCV reads QR codes: pip install opencv-python")
    pixels = np.kron(np.where(modules(svg(LINK)), 0, 255), np.ones((8, 8))).astype(np.uint8)
    assert cv2.QRCodeDetector().detectAndDecode(pixels)[0] == LINK


def test_a_link_that_is_too_long_gets_one_sentence():
    with pytest.raises(BadData, match="too many for a QR code"):
        svg("https://example.org/" + "x" * 5000)
