"""The figures that hold the measure of palettes made anew: how far colours are apart, also for the colour-blind.

Run by hand as `python -m tools.colour_vision`, after `pip install colour-science==0.4.7`: 170 MB with what it needs, so
that no test uses it. What it writes is committed, and holds tests/support/clients/colour_distance.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from client.ui import theme

PLACE: Final = Path("tests/support/clients/colour_vision.json")
KINDS: Final = ("protanomaly", "deuteranomaly", "tritanomaly")
WHOLE: Final = 1.0
"""Severity of a deficiency: without the cones at all."""
PAIRS: Final = 40
"""Pairs of random colours, beside those of the palettes."""


def colours() -> list[tuple[Sequence[int], Sequence[int]]]:
    """Return the pairs that are compared: neighbours in each palette, and others by chance."""
    found: list[tuple[Sequence[int], Sequence[int]]] = []
    for name in theme.PALETTES:
        theme.choose("", name)
        tones = [tone[:3] for tone in theme.SEAT_COLOURS]
        found += zip(tones, tones[1:] + tones[:1], strict=True)
    dice = Random("colours")
    for _ in range(PAIRS):
        one, other = ([dice.randrange(256) for _ in range(3)] for _ in range(2))
        found.append((one, other))
    return found


def main() -> None:
    """Write the figures."""
    import colour

    matrices = {kind: colour.blindness.CVD_MATRICES_MACHADO2010[kind.capitalize()][WHOLE] for kind in KINDS}
    space = colour.models.RGB_COLOURSPACE_sRGB

    def seen(tone: Sequence[int], kind: str) -> Any:
        linear = colour.models.eotf_sRGB([part / 255 for part in tone])
        if kind:
            linear = (matrices[kind] @ linear).clip(0, 1)
        return colour.XYZ_to_Lab(space.matrix_RGB_to_XYZ @ linear, space.whitepoint)

    rows = [
        [list(one), list(other), kind, round(float(colour.delta_E(seen(one, kind), seen(other, kind))), 3)]
        for one, other in colours()
        for kind in ("", *KINDS)
    ]
    told = f"colour-science {colour.__version__}: Machado, Oliveira and Fernandes 2009 (severity 1), CIEDE2000"
    kept = {kind: matrix.tolist() for kind, matrix in matrices.items()}
    distances = ",\n".join(map(json.dumps, rows))
    PLACE.write_text(
        f'{{\n"of": {json.dumps(told)},\n"matrices": {json.dumps(kept)},\n"distances": [\n{distances}\n]\n}}\n', "utf-8"
    )


if __name__ == "__main__":
    main()
