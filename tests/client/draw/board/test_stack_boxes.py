"""Boxes of what is being resolved: over no figure, steady, and shorter where there is little room."""

from __future__ import annotations

from itertools import combinations

from client.draw.board.stack import StackBoxes
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.texts import Texts
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.ids import NodeId
from protocol.scene.nodes import StackItem
from protocol.text import text

BOARD = Rect(220, 136, 760, 560)


def model(count: int) -> ViewModel:
    words = Texts()
    words.learn({"fog": "Fog on the river", "line": "Nobody sees further than twelve inches until the turn is over."})
    items = {NodeId(f"stack/{n}"): StackItem(text("fog"), n, (text("line"),)) for n in range(count)}
    return ViewModel(Tabletop(items), words)


def bases(step: int) -> list[Rect]:
    """Return a board full of figures, this many pixels apart."""
    return [Rect(x, y, 10, 10) for x in range(220, 980, step) for y in range(136, 696, step)]


def test_a_box_lies_on_no_figure_and_stays_where_it_is() -> None:
    places, crowd = StackBoxes(), [Rect(x, 600, 12, 12) for x in range(230, 600, 30)]
    boxes = places.place(Ui({}), BOARD, model(3), crowd, ())
    assert [len(words) for _, words in boxes] == [2, 2, 2]
    assert not any(box.overlaps(base) for box, _ in boxes for base in crowd)
    assert not any(a.overlaps(b) for (a, _), (b, _) in combinations(boxes, 2))
    again = places.place(Ui({}), BOARD, model(3), crowd[:-5], ())
    assert again == boxes
    met = [*crowd, Rect(*boxes[1][0].centre, 9, 9)]
    other = places.place(Ui({}), BOARD, model(3), met, ())
    assert other[0] == boxes[0]
    assert not any(box.overlaps(base) for box, _ in other for base in met)


def test_where_there_is_little_room_the_title_has_to_do() -> None:
    crowd = [base for base in bases(40) if not Rect(400, 300, 140, 36).overlaps(base)]
    ((box, words),) = StackBoxes().place(Ui({}), BOARD, model(1), crowd, ())
    assert words == ["Fog on the river"]
    assert not any(box.overlaps(base) for base in crowd)


def test_names_are_left_alone_where_there_is_other_room() -> None:
    ((first, _),) = StackBoxes().place(Ui({}), BOARD, model(1), (), ())
    ((other, _),) = StackBoxes().place(Ui({}), BOARD, model(1), (), [first])
    assert not other.overlaps(first)
