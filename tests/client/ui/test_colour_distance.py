"""The measure of the tests of palettes: CIEDE2000 by its published pairs, and the simulation of colour blindness."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.clients.colour_distance import DEFICIENCIES, as_seen, ciede2000

FIGURES = json.loads((Path(__file__).parents[2] / "support" / "clients" / "colour_vision.json").read_text("utf-8"))
"""Figures of colour-science (tools/colour_vision.py): `matrices` of the simulation, and `distances` of pairs of colours
as people with a deficiency see them."""

# Sharma, Wu and Dalal 2005, table 1: two colours in CIELAB, and their distance
PUBLISHED = """
50 2.6772 -79.7751 50 0 -82.7485 2.0425
50 3.1571 -77.2803 50 0 -82.7485 2.8615
50 2.8361 -74.0200 50 0 -82.7485 3.4412
50 -1.3802 -84.2814 50 0 -82.7485 1
50 -1.1848 -84.8006 50 0 -82.7485 1
50 -0.9009 -85.5211 50 0 -82.7485 1
50 0 0 50 -1 2 2.3669
50 -1 2 50 0 0 2.3669
50 2.49 -0.001 50 -2.49 0.0009 7.1792
50 2.49 -0.001 50 -2.49 0.001 7.1792
50 2.49 -0.001 50 -2.49 0.0011 7.2195
50 2.49 -0.001 50 -2.49 0.0012 7.2195
50 -0.001 2.49 50 0.0009 -2.49 4.8045
50 -0.001 2.49 50 0.001 -2.49 4.8045
50 -0.001 2.49 50 0.0011 -2.49 4.7461
50 2.5 0 50 0 -2.5 4.3065
50 2.5 0 73 25 -18 27.1492
50 2.5 0 61 -5 29 22.8977
50 2.5 0 56 -27 -3 31.9030
50 2.5 0 58 24 15 19.4535
50 2.5 0 50 3.1736 0.5854 1
50 2.5 0 50 3.2972 0 1
50 2.5 0 50 1.8634 0.5757 1
50 2.5 0 50 3.2592 0.335 1
60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387 1.2644
63.0109 -31.0961 -5.8663 62.8187 -29.7946 -4.0864 1.2630
61.2901 3.7196 -5.3901 61.4292 2.2480 -4.9620 1.8731
35.0831 -44.1164 3.7933 35.0232 -40.0716 1.5901 1.8645
22.7233 20.0904 -46.6940 23.0331 14.9730 -42.5619 2.0373
36.4612 47.8580 18.3852 36.2715 50.5065 21.2231 1.4146
90.8027 -2.0831 1.4410 91.1528 -1.6435 0.0447 1.4441
90.9257 -0.5406 -0.9208 88.6381 -0.8985 -0.7239 1.5381
6.7747 -0.2908 -2.4247 5.8714 -0.0985 -2.2286 0.6377
2.0776 0.0795 -1.1350 0.9033 -0.0636 -0.5514 0.9082
"""


@pytest.mark.parametrize("line", PUBLISHED.strip().splitlines())
def test_a_published_pair_is_as_far_apart_as_published(line: str) -> None:
    l1, a1, b1, l2, a2, b2, distance = map(float, line.split())
    assert abs(ciede2000((l1, a1, b1), (l2, a2, b2)) - distance) < 0.0001
    assert abs(ciede2000((l2, a2, b2), (l1, a1, b1)) - distance) < 0.0001


def test_the_matrices_are_those_of_the_paper() -> None:
    assert {kind: [list(row) for row in matrix] for kind, matrix in DEFICIENCIES.items()} == FIGURES["matrices"]


def test_colours_are_as_far_apart_as_another_program_finds_in_every_sight() -> None:
    """Its matrix of sRGB has four digits, ours seven."""
    far = [(ciede2000(as_seen(a, kind), as_seen(b, kind)), found) for a, b, kind, found in FIGURES["distances"]]
    assert len(far) > 200
    assert [pair for pair in far if abs(pair[0] - pair[1]) > 0.25] == []


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_greys_are_seen_by_the_colour_blind_as_they_are(deficiency: str) -> None:
    assert ciede2000(as_seen((128, 128, 128)), as_seen((128, 128, 128), deficiency)) < 0.1


def test_red_and_green_come_near_each_other_without_one_of_both() -> None:
    red, green = (200, 60, 40), (110, 120, 0)
    plain = ciede2000(as_seen(red), as_seen(green))
    assert all(
        ciede2000(as_seen(red, name), as_seen(green, name)) < plain / 2 for name in ("protanomaly", "deuteranomaly")
    )
