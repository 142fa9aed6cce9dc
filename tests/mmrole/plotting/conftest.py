"""Measured frames and a font with Chinese characters, made by hand."""

import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib import font_manager

from mmrole.core.labels import label_set
from mmrole.plotting import fonts, wording
from mmrole.plotting.clip_pictures import SampledFrame

TEXTS = [
    "情绪说话人小棠阿凯",
    *wording._CHINESE.values(),
    *wording._CHINESE_REASONS.values(),
    *label_set("cped-13").display_names("zh"),
]
CHINESE = sorted({character for text in [*TEXTS, "正面负中性"] for character in text if ord(character) > 0x2E7F})


@pytest.fixture(scope="session")
def frame_of():
    """A sampled frame of a picture of 160 x 90: the face's box is (60, 20, 100, 70), its points lie on the box's diagonal."""

    def build(time_s=0.0, *, face=True, body=True, faces=None, pixels=True):
        diagonal = np.linspace((60.0, 20.0), (100.0, 70.0), 478, dtype=np.float32)
        points = np.column_stack([np.linspace(40, 120, 33), np.linspace(30, 120, 33), np.tile([0.9, 0.9, 0.1], 11)])
        return SampledFrame(
            time_s=time_s,
            faces=int(face) if faces is None else faces,
            face=face,
            body=body,
            face_box_px=np.array([60, 20, 100, 70], np.float32) if face else None,
            face_points_px=diagonal if face else None,
            body_points=points.astype(np.float32) if body else None,
            rgb=np.full((90, 160, 3), 40, np.uint8) if pixels else None,
            face_rgb=np.full((50, 50, 3), 80, np.uint8) if pixels and face else None,
        )

    return build


@pytest.fixture(scope="session")
def chinese_font(tmp_path_factory):
    """A font file whose family is called like a real one; each of some Chinese characters is a filled square."""
    path = tmp_path_factory.mktemp("fonts") / "NotoSansCJK-Test.ttf"
    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for corner in ((900, 0), (900, 800), (100, 800)):
        pen.lineTo(corner)
    pen.closePath()
    square, empty = pen.glyph(), TTGlyphPen(None).glyph()
    names = [f"uni{ord(character):04X}" for character in CHINESE]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", *names])
    builder.setupCharacterMap({ord(character): name for character, name in zip(CHINESE, names, strict=True)})
    builder.setupGlyf({".notdef": empty, **dict.fromkeys(names, square)})
    builder.setupHorizontalMetrics(dict.fromkeys([".notdef", *names], (1000, 100)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Noto Sans CJK SC", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)
    return path


@pytest.fixture
def only_latin_fonts(monkeypatch):
    """As if matplotlib's own fonts were all that is installed."""
    own = [font for font in font_manager.fontManager.ttflist if font.name.startswith("DejaVu")]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", own)
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda *arguments, **options: [])
    fonts.chinese_family.cache_clear()
    yield
    fonts.chinese_family.cache_clear()


@pytest.fixture
def with_chinese_font(only_latin_fonts, chinese_font):
    """As if there were matplotlib's own fonts and one with Chinese."""
    font_manager.fontManager.addfont(chinese_font)
