"""Camera of the board: maps to the window and back, zooms about the mouse."""

from __future__ import annotations

from client.ui.camera import Camera
from client.ui.layout import Rect


def test_the_camera_finds_its_way_back() -> None:
    camera = Camera()
    camera.look_at(Rect(200, 100, 800, 600), (7200, 4800))
    camera.zoom_at(500, 400, 2.5)
    camera.pan(30, -12)
    for point in ((0, 0), (3600, 2400), (7200, 4800)):
        assert camera.to_table(*camera.to_window(*point)) == point


def test_zooming_keeps_what_is_under_the_mouse() -> None:
    camera = Camera()
    camera.look_at(Rect(0, 0, 900, 600), (7200, 4800))
    before = camera.to_table(300, 200)
    camera.zoom_at(300, 200, 1.7)
    after = camera.to_table(300, 200)
    assert abs(after[0] - before[0]) <= 2
    assert abs(after[1] - before[1]) <= 2


def test_room_above_and_below_a_whole_table_is_left_at_its_foot_but_for_a_little() -> None:
    camera = Camera()
    camera.look_at(Rect(0, 0, 800, 800), (7200, 3600))
    low, high = (camera.to_window(0, y)[1] for y in (0, 3600))
    assert 800 - high < 50 < low
    camera.look_at(Rect(0, 0, 2000, 400), (7200, 3600))
    low, high = (camera.to_window(0, y)[1] for y in (0, 3600))
    assert (round(low), round(high)) == (12, 388)
