"""The client's pictures and fonts made anew: an atlas of the icons that protocol/scene/looks.toml names, and four cuts
of IBM Plex Sans.

Run by hand as `python -m tools.art`, after `pip install resvg-py==0.5.0`. It needs npm, which packs the sources; each
package is held to its hash. What it writes is committed: neither playing nor testing needs any of this.
"""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image

from client.art.icons import ATLAS, CELL, COLUMNS
from protocol.scene.looks import ICONS

ART: Final = Path("client/art")
SHADES: Final = 16
"""Shades of grey in the atlas: enough for soft edges."""
NOTICE: Final = """\
The icons in icons.png: game-icons.net: Lorc, Delapouite and contributors, CC BY 3.0
https://creativecommons.org/licenses/by/3.0/

Changed: about 300 of the icons, rasterised to white masks in one picture (tools/art.py).
"""


class Package(NamedTuple):
    """Package of the npm registry: its name with the version, and the SHA-256 of what npm packs."""

    name: str
    sha256: str


ICON_SET: Final = Package(
    "@iconify-json/game-icons@1.2.4", "f5758efb34d91c4f50b941f355f16ee73938625e5996fabc25171288404460a4"
)
FONTS: Final = {
    "IBMPlexSans": Package(
        "@expo-google-fonts/ibm-plex-sans@0.4.1", "8b0e86cb17fbcf46a1b3ee9fcf339ebb552938cc5b753eb28671725aa3f66671"
    ),
    "IBMPlexSansCondensed": Package(
        "@expo-google-fonts/ibm-plex-sans-condensed@0.4.1",
        "cbf657f60f559e9d6ee31b5f78a4cd48d458a7b480231f791811f8028dd4bebb",
    ),
}
CUTS: Final = ("400Regular", "700Bold")


def packed(package: Package, folder: Path) -> tarfile.TarFile:
    """Return a package's files. Raises CalledProcessError, or ValueError where its hash is another."""
    done = subprocess.run(
        ["npm", "pack", package.name, "--silent"], cwd=folder, capture_output=True, text=True, check=True
    )
    data = (folder / done.stdout.split()[-1]).read_bytes()
    if (found := hashlib.sha256(data).hexdigest()) != package.sha256:
        raise ValueError(f"{package.name} is another one than was pinned: {found}")
    return tarfile.open(fileobj=io.BytesIO(data))


def read(package: tarfile.TarFile, name: str) -> bytes:
    """Return a file of a package. Raises KeyError where it has none of this name."""
    file = package.extractfile(f"package/{name}")
    assert file is not None
    return file.read()


def atlas(bodies: dict[str, str]) -> Image.Image:
    """Draw the icons of the list by their SVG bodies, white on black."""
    names = [name for names in ICONS.values() for name in names]
    sheet = Image.new("L", (COLUMNS * CELL, -(-len(names) // COLUMNS) * CELL))
    for place, name in enumerate(names):
        row, column = divmod(place, COLUMNS)
        sheet.paste(_drawn(bodies[name]), (column * CELL, row * CELL))
    return sheet.point([round(tone / 255 * (SHADES - 1)) * 255 // (SHADES - 1) for tone in range(256)])


def _drawn(body: str) -> Image.Image:
    import resvg_py

    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">{body.replace("currentColor", "#fff")}</svg>'
    png = resvg_py.svg_to_bytes(svg_string=svg, width=CELL, height=CELL, skip_system_fonts=True)
    return Image.open(io.BytesIO(png)).getchannel("A")


def main() -> None:
    """Write the atlas, the fonts and their licences."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        icons = json.loads(read(packed(ICON_SET, folder), "icons.json"))["icons"]
        atlas({name: icon["body"] for name, icon in icons.items()}).save(ART / ATLAS, optimize=True, bits=4)
        (ART / "game-icons.txt").write_text(NOTICE, "utf-8")
        for family, package in FONTS.items():
            files = packed(package, folder)
            for cut in CUTS:
                font = read(files, f"{cut}/{family}_{cut}.ttf")
                (ART / f"{family}-{cut.lstrip('0123456789')}.ttf").write_bytes(font)
            (ART / "OFL.txt").write_bytes(read(files, "LICENSE_FONT"))
    for path in sorted(ART.iterdir()):
        if path.is_file() and path.suffix != ".py":
            print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
