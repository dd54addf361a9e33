"""The form in which an army list is built: what its rows do, and what it says."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings, strategies as st

from engine.kit.lists.list_texts import decode
from engine.rulesets.one_page.content.army_lists import LISTS
from engine.rulesets.one_page.content.lists import ListEntry, totals
from engine.rulesets.one_page.text.texts import ARMY_LISTS as ENGLISH
from protocol.text import Text
from protocol.text_format import format_text
from protocol.wire.list_form import AnyControl, Button, Change, Count, ListForm, Pick, Switch
from tests.support.systems.army_book import book


def after(*changes: tuple[str, int]) -> ListForm:
    """The form of a new list for the Iron Marches after these changes."""
    form = LISTS.form(book(), LISTS.empty(book(), "iron_marches", 3000))
    for row, value in changes:
        form = LISTS.form(book(), form.draft, Change(row, value))
    return form


def entries(form: ListForm) -> tuple[ListEntry, ...]:
    return decode(LISTS, book(), form.draft).entries


def rows(form: ListForm) -> dict[str, AnyControl]:
    return {row.id: row for section in form.sections for row in section.rows}


def test_units_are_taken_and_put_back() -> None:
    form = after(("take/IM-04", 3), ("take/IM-03", 1))
    assert entries(form) == (ListEntry("IM-04", 3), ListEntry("IM-03", 1, (), "ash"))
    assert format_text(form.total, ENGLISH) == "300 of 3000 points, 0 Heroes, 0 Special"
    assert form.faults == ()
    taken = rows(form)["take/IM-04"]
    assert isinstance(taken, Count)
    assert (taken.value, taken.most) == (3, 150)
    assert entries(LISTS.form(book(), form.draft, Change("take/IM-04", 0))) == (ListEntry("IM-03", 1, (), "ash"),)


def test_a_line_is_upgraded_doubled_split_and_dropped() -> None:
    form = after(("take/IM-04", 2), ("up/0/1", 1), ("double/0", 1), ("up/0/1", 2), ("split/0", 1), ("up/1/4", 1))
    assert entries(form) == (ListEntry("IM-04", 2, (1, 1), "", True), ListEntry("IM-04", 1, (4,)))
    assert form.faults == ()
    form = LISTS.form(book(), form.draft, Change("double/0", 0))
    assert entries(form)[0] == ListEntry("IM-04", 2, (1,))
    assert len(entries(LISTS.form(book(), form.draft, Change("line/1", 0)))) == 1


def test_more_of_a_unit_that_has_been_changed_stands_on_a_line_of_its_own() -> None:
    form = after(("take/IM-04", 1), ("up/0/1", 1), ("take/IM-04", 3))
    assert entries(form) == (ListEntry("IM-04", 1, (1,)), ListEntry("IM-04", 2))
    assert entries(LISTS.form(book(), form.draft, Change("take/IM-04", 1))) == (ListEntry("IM-04", 1, (1,)),)


def test_a_psyker_chooses() -> None:
    form = after(("take/IM-03", 1), ("study/0", 1))
    assert entries(form) == (ListEntry("IM-03", 1, (), "veil"),)
    study = rows(form)["study/0"]
    assert isinstance(study, Pick)
    assert study.value == 1


def test_the_ready_list_a_list_by_lot_and_a_clear_table() -> None:
    ready = after(("sample", 1))
    assert ready.faults == ()
    assert format_text(ready.total, ENGLISH).startswith("3000 of 3000 points")
    drawn = after(("limit", 1), ("chance", 1))
    again = LISTS.form(book(), drawn.draft, Change("chance", 1))
    assert drawn.faults == again.faults == ()
    assert drawn.draft != again.draft
    assert decode(LISTS, book(), again.draft).limit == 6000
    assert [fault.k for fault in after(("sample", 1), ("clear", 1)).faults] == ["op.list.empty"]


def test_what_is_too_much_is_told_as_it_is_taken() -> None:
    form = after(("take/IM-12", 8), ("take/IM-13", 1), ("take/IM-04", 150))
    assert [fault.k for fault in form.faults] == ["op.list.too-long", "op.list.points", "op.list.special"]


def _texts(form: ListForm) -> Iterator[Text]:
    yield from (form.title, form.total, *form.faults)
    for section in form.sections:
        yield section.title
        for row in section.rows:
            yield from (row.label, *((row.note,) if row.note else ()), *row.hint)
            yield from row.options if isinstance(row, Pick) else ()


def test_every_text_has_its_words() -> None:
    for form in (after(("sample", 1)), after(("take/IM-12", 9), ("take/IM-03", 1)), after(("chance", 1))):
        words = [format_text(text, ENGLISH) for text in _texts(form)]
        assert all(words)
        assert not [word for word in words if "{" in word or word.startswith("op.")]


@settings(deadline=None)
@given(st.data())
def test_no_row_can_be_moved_to_where_the_form_breaks(data: st.DataObject) -> None:
    form = LISTS.form(book(), LISTS.empty(book(), "iron_marches", 3000))
    for _ in range(6):
        row = data.draw(st.sampled_from(list(rows(form).values())))
        most = row.most if isinstance(row, Count) else len(row.options) - 1 if isinstance(row, Pick) else 1
        value = 1 if isinstance(row, Button) else data.draw(st.integers(0, most))
        form = LISTS.form(book(), form.draft, Change(row.id, value))
        listed = decode(LISTS, book(), form.draft)
        assert [fault.text for fault in LISTS.faults(book(), listed)] == list(form.faults)
        assert str(totals(book().armies[listed.army], listed).points) in format_text(form.total, ENGLISH)
        switches = [one for one in rows(form).values() if isinstance(one, Switch)]
        assert len(switches) <= 400


def test_a_form_goes_on_from_a_file_with_faults() -> None:
    form = after(("take/IM-12", 9))
    again = LISTS.form(book(), form.file)
    assert again == form
    assert "# March Tank" in form.file


def test_another_army_begins_anew() -> None:
    form = after(("limit", 1), ("take/IM-12", 2), ("army", 0))
    assert form.draft == LISTS.empty(book(), next(iter(book().armies)), 6000)


def test_a_row_that_is_not_there_changes_nothing() -> None:
    form = after(("take/IM-04", 1))
    for row in ("take/XX-01", "up/7/1", "up/0/x", "up/0/9", f"up/0/{2**64}", "nothing", "line/x", "study/0/1/2"):
        assert LISTS.form(book(), form.draft, Change(row, 99)) == form
