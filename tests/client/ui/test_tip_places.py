"""Places of tips: beside the mouse, inside the window, off the buttons of a list."""

from client.ui.layout import Rect
from client.ui.tip_places import tip_box

WINDOW = Rect(0, 0, 1000, 600)
BOARD = Rect(200, 100, 600, 500)
SIZE = (120, 40)


def test_a_tip_lies_below_the_mouse_at_its_right_and_stays_in_the_window() -> None:
    assert tip_box((400, 300), SIZE, WINDOW, BOARD, ()) == Rect(416, 248, *SIZE)
    assert tip_box((790, 300), SIZE, WINDOW, BOARD, ()) == Rect(676, 248, *SIZE)
    assert tip_box((400, 20), SIZE, WINDOW, BOARD, ()) == Rect(416, 38, *SIZE)
    assert tip_box((400, 300), (120, 590), WINDOW, WINDOW, ()) == Rect(416, 6, 120, 590)


def test_a_tip_covers_no_button_of_a_list_where_there_is_another_place() -> None:
    bar = Rect(390, 250, 200, 26)
    assert tip_box((400, 300), SIZE, WINDOW, BOARD, [bar]) == Rect(416, 318, *SIZE)
    over = Rect(390, 320, 200, 26)
    assert tip_box((400, 300), SIZE, WINDOW, BOARD, [bar, over]) == Rect(264, 248, *SIZE)
    assert tip_box((400, 300), SIZE, WINDOW, BOARD, [Rect(0, 0, 900, 600)]) == Rect(416, 248, *SIZE)


def test_a_tip_covers_no_base_where_there_is_another_place() -> None:
    below, above, left = Rect(430, 255, 30, 30), Rect(430, 325, 30, 30), Rect(300, 255, 30, 30)
    assert tip_box((400, 300), SIZE, WINDOW, BOARD, (), spared=[below]) == Rect(416, 318, *SIZE)
    assert tip_box((400, 300), SIZE, WINDOW, BOARD, (), spared=[below, above]) == Rect(264, 248, *SIZE)
    assert tip_box((400, 300), SIZE, WINDOW, BOARD, [left], spared=[below]) == Rect(416, 318, *SIZE)
    assert tip_box((400, 300), SIZE, WINDOW, BOARD, (), spared=[WINDOW, below]) == Rect(416, 318, *SIZE)


def test_a_tip_never_covers_a_place_that_is_kept_clear() -> None:
    marked = Rect(350, 200, 100, 180)
    beside = tip_box((400, 300), SIZE, WINDOW, BOARD, (), [marked])
    assert beside is not None
    assert not beside.overlaps(marked)
    assert tip_box((400, 300), SIZE, WINDOW, BOARD, (), [WINDOW]) is None


def test_a_tip_covers_a_ringed_thing_last_of_all_that_it_may_cover() -> None:
    foe, crowd = Rect(350, 255, 110, 30), [Rect(340 + 40 * each, 325, 30, 30) for each in range(5)]
    left = [Rect(270, 200, 10, 300)]
    assert tip_box((400, 300), SIZE, WINDOW, BOARD, (), spared=[foe, *crowd, *left]) == Rect(416, 248, *SIZE)
    covered = tip_box((400, 300), SIZE, WINDOW, BOARD, (), spared=[foe, *crowd, *left], ringed=[foe, *left])
    assert covered == Rect(416, 318, *SIZE)


def test_a_tip_lies_beside_the_mouse_where_ringed_things_stand_above_and_below_it() -> None:
    rows = [Rect(200, 240, 600, 10), Rect(200, 350, 600, 10)]
    assert tip_box((400, 300), SIZE, WINDOW, BOARD, (), ringed=rows) == Rect(416, 280, *SIZE)
