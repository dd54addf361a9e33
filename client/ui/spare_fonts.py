"""Fonts for letters that the client's own cut lacks: the wider cut of the same family, then a font of the system.

The toolkit finds fonts of the system by itself on Windows and macOS; elsewhere fontconfig is asked here.
"""

from __future__ import annotations

import ctypes
import sys
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from pyglet.font.ttf import TruetypeInfo

from client.art.fonts import FAMILY, font_file

ASKS_FONTCONFIG: Final = sys.platform.startswith(("linux", "freebsd", "openbsd"))
_BY_PATTERN: Final = 0
"""Kind of substitution: of patterns that are looked for."""


class SpareFont(NamedTuple):
    """Font that has a letter: its family, as the toolkit knows it, and its file."""

    family: str
    file: Path


def spare_font(letter: str, *, bold: bool, narrow: bool) -> SpareFont | None:
    """Return the font for a letter that the cut lacks; None where the cut has it, or no font is known to."""
    if letter.isascii() or letter in _letters(narrow=narrow):
        return None
    if narrow and letter in _letters(narrow=False):
        return SpareFont(FAMILY, font_file(bold=bold))
    return _font_of_system(letter, bold=bold) if ASKS_FONTCONFIG else None


@lru_cache(maxsize=2)
def _letters(*, narrow: bool) -> frozenset[str]:
    """Return the letters of a family; both its weights have the same."""
    info = TruetypeInfo(str(font_file(narrow=narrow)))
    letters = frozenset(info.get_character_map())
    info.close()
    return letters


@lru_cache(maxsize=1024)
def _font_of_system(letter: str, *, bold: bool) -> SpareFont | None:
    """Ask fontconfig for the font that has a letter and comes nearest to a plain one."""
    library = _fontconfig()
    if library is None:
        return None
    words = f"sans-serif:charset={ord(letter):x}" + (":bold" if bold else "")
    pattern = library.FcNameParse(words.encode())
    library.FcConfigSubstitute(None, pattern, _BY_PATTERN)
    library.FcDefaultSubstitute(pattern)
    match = library.FcFontMatch(None, pattern, ctypes.byref(ctypes.c_int()))
    try:
        family, file = (_told(library, match, what) for what in (b"family", b"file"))
    finally:
        for made in filter(None, (pattern, match)):
            library.FcPatternDestroy(made)
    return SpareFont(family, Path(file)) if family and file else None


def _told(library: ctypes.CDLL, match: int | None, what: bytes) -> str:
    """Return a property of a font that was found, "" where it has none."""
    found = ctypes.c_char_p()
    if match is None or library.FcPatternGetString(match, what, 0, ctypes.byref(found)) or found.value is None:
        return ""
    return found.value.decode("utf-8", "replace")


@lru_cache(maxsize=1)
def _fontconfig() -> ctypes.CDLL | None:
    """Return the library, begun; None where there is none."""
    try:
        library = ctypes.CDLL("libfontconfig.so.1")
    except OSError:
        return None
    pointer = ctypes.c_void_p
    library.FcNameParse.argtypes, library.FcNameParse.restype = [ctypes.c_char_p], pointer
    library.FcConfigSubstitute.argtypes = [pointer, pointer, ctypes.c_int]
    library.FcDefaultSubstitute.argtypes = [pointer]
    library.FcFontMatch.argtypes, library.FcFontMatch.restype = [pointer, pointer, pointer], pointer
    library.FcPatternGetString.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int, pointer]
    library.FcPatternDestroy.argtypes = [pointer]
    library.FcInit()
    return library
