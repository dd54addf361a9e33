"""Talk about fields that are filled in from lists: picks, options, numbers, slots, orders and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from client.input.drafts import AssignDraft, Draft, NumberDraft, OptionDraft, OrderDraft, PiecesDraft, WordsDraft
from client.model.words.option_names import option_name
from client.plain.talk.answers import BadAnswer, numbered, picked
from client.plain.talk.talk_kind import Notes, TalkKind
from client.plain.told.shown_table import ShownTable
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene.fields import Barred, Option

Pick = PiecesDraft | OptionDraft


def option_words(option: Option, shown: ShownTable) -> str:
    """Return an option in words: a group or terrain with its short name and its state, all else by its name and
    hint."""
    id = NodeId(option.id)
    if id in shown.top.groups:
        return shown.group_words(id)
    if id in shown.top.features:
        return shown.feature_name(id)
    name, hint = option_name(shown.model, id, option.name), shown.texts.say(option.hint)
    if id in shown.top.pieces:
        name = f"{name}, {shown.where(id)}"
    return phrase("plain.option", name=name, hint=hint) if hint else name


def _pick_lines(draft: Pick, shown: ShownTable, notes: Notes) -> Iterator[str]:
    field = draft.field
    if isinstance(draft, PiecesDraft) and draft.field.most > 1:
        yield phrase("plain.pick.several", span=_span(draft.field.least, draft.field.most))
    for number, option in enumerate(field.options, 1):
        words = option_words(option, shown)
        note = notes.get(option.id, "")
        yield phrase("plain.line", number=number, words=f"{words}: {note}" if note else words)
    yield from _barred_lines(field.barred, shown)
    if not field.options:
        yield phrase("plain.pick.none")


def _barred_lines(barred: Sequence[Barred], shown: ShownTable) -> Iterator[str]:
    """Yield each reason why things cannot be picked, with their short names."""
    named: dict[str, list[str]] = {}
    for bar in barred:
        id = NodeId(bar.id)
        short = shown.names.of(id) if id in shown.names.short else option_name(shown.model, id, None)
        named.setdefault(shown.texts.say(bar.why), []).append(short)
    for why, names in named.items():
        yield phrase("plain.barred", name=", ".join(names), why=why)


def _span(least: int, most: int) -> str:
    return str(most) if least == most else phrase("fields.span", least=least, most=most)


def _barred_words(bar: Barred, shown: ShownTable) -> str:
    name = option_words(Option(bar.id), shown)
    return phrase("plain.barred", name=name, why=shown.texts.say(bar.why))


def _take_pick(draft: Pick, words: str, shown: ShownTable) -> str:
    """Pick just what was typed, in place of what was picked before."""
    found = picked(words, draft.field.options, lambda name: _option_named(draft, name, shown))
    least, most = (draft.field.least, draft.field.most) if isinstance(draft, PiecesDraft) else (1, 1)
    if not least <= len(found) <= most:
        raise BadAnswer(phrase("plain.pick.count", span=_span(least, most)))
    ids = tuple(NodeId(option.id) for option in found)
    if isinstance(draft, PiecesDraft):
        draft.ids, draft.touched = ids, True
    else:
        draft.pick(ids[0])
    return ""


def _option_named(draft: Pick, name: str, shown: ShownTable) -> Option | None:
    """Return the option that a name means: of a thing on the table, of a figure's group, or its own. Raises BadAnswer
    for a thing that cannot be picked, with the reason."""
    thing = shown.names.find(name)
    bar = next((bar for bar in draft.field.barred if thing and bar.id == thing), None)
    if bar is not None:
        raise BadAnswer(_barred_words(bar, shown))
    for option in draft.field.options:
        called = option_name(shown.model, NodeId(option.id), option.name)
        if (thing and option.id == thing) or called.lower() == name.strip().lower():
            return option
    return None


def _picked_words(draft: Pick, shown: ShownTable) -> str:
    names = {option.id: option.name for option in draft.field.options}
    found = [
        shown.name(id) if id in shown.names.short else option_name(shown.model, id, names.get(id))
        for id in draft.picked()
    ]
    counted = Counter(found)
    parts = [phrase("plain.times", times=times, name=name) if times > 1 else name for name, times in counted.items()]
    return ", ".join(parts) or phrase("plain.nothing")


def _number_lines(draft: NumberDraft, _: ShownTable, __: Notes) -> Iterator[str]:
    yield phrase("plain.field.number", least=draft.field.least, most=draft.field.most)


def _take_number(draft: NumberDraft, words: str, _: ShownTable) -> str:
    number = int(words) if words.isdecimal() and len(words) < 7 else draft.field.most + 1
    if not draft.field.least <= number <= draft.field.most:
        raise BadAnswer(phrase("plain.field.number", least=draft.field.least, most=draft.field.most))
    draft.set(number)
    return ""


def _assign_lines(draft: AssignDraft, shown: ShownTable, _: Notes) -> Iterator[str]:
    slots = _slots(draft, shown)
    for number, item in enumerate(draft.field.items, 1):
        name = option_name(shown.model, NodeId(item.id), item.name)
        slot = slots.get(draft.slot_of.get(item.id, ""), phrase("fields.no_slot"))
        yield phrase("plain.line", number=number, words=f"{name}: {slot}")
    yield phrase("plain.slots")
    for number, name in enumerate(slots.values(), 1):
        yield phrase("plain.line", number=number, words=name)


def _slots(draft: AssignDraft, shown: ShownTable) -> Mapping[str, str]:
    return {slot.id: option_name(shown.model, NodeId(slot.id), slot.name) for slot in draft.field.slots}


def _take_assign(draft: AssignDraft, words: str, shown: ShownTable) -> str:
    """Put the item of the first number into the slot of the second."""
    typed = words.split()
    if len(typed) != 2:
        raise BadAnswer(phrase("plain.slots.two"))
    item = draft.field.items[numbered(typed[0], len(draft.field.items)) - 1]
    slot = draft.field.slots[numbered(typed[1], len(draft.field.slots)) - 1]
    bar = next((bar for bar in draft.field.bars.get(item.id, ()) if bar.id == slot.id), None)
    if bar is not None:
        raise BadAnswer(shown.texts.say(bar.why))
    if not draft.put(item.id, slot.id):
        raise BadAnswer(phrase("plain.slots.full"))
    names = option_name(shown.model, NodeId(item.id), item.name), _slots(draft, shown)[slot.id]
    return phrase("plain.slots.put", item=names[0], slot=names[1])


def _assigned_words(draft: AssignDraft, shown: ShownTable) -> str:
    slots = _slots(draft, shown)
    pairs = [
        (option_name(shown.model, NodeId(item.id), item.name), slots.get(draft.slot_of.get(item.id, ""), ""))
        for item in draft.field.items
    ]
    return ", ".join(f"{item}: {slot}" for item, slot in pairs)


def _order_lines(draft: OrderDraft, shown: ShownTable, _: Notes) -> Iterator[str]:
    yield phrase("plain.order.how")
    for number, name in enumerate(_ordered(draft, shown), 1):
        yield phrase("plain.line", number=number, words=name)


def _ordered(draft: OrderDraft, shown: ShownTable) -> Sequence[str]:
    names = {item.id: option_name(shown.model, NodeId(item.id), item.name) for item in draft.field.items}
    return [names[id] for id in draft.ids]


def _take_order(draft: OrderDraft, words: str, shown: ShownTable) -> str:
    """Put first what was typed, in this order; all else follows as before."""
    first = picked(words, draft.ids, lambda name: None)
    draft.ids, draft.touched = [*first, *(id for id in draft.ids if id not in first)], True
    return phrase("plain.order.now", items=_order_words(draft, shown))


def _order_words(draft: OrderDraft, shown: ShownTable) -> str:
    return ", ".join(_ordered(draft, shown))


def _words_lines(draft: WordsDraft, _: ShownTable, __: Notes) -> Iterator[str]:
    yield phrase("plain.field.words", most=draft.field.most)


def _take_words(draft: WordsDraft, words: str, _: ShownTable) -> str:
    draft.write(words)
    return ""


KINDS: Final[Mapping[type[Draft], TalkKind]] = {
    PiecesDraft: TalkKind(_pick_lines, _take_pick, _picked_words),
    OptionDraft: TalkKind(_pick_lines, _take_pick, _picked_words),
    NumberDraft: TalkKind(_number_lines, _take_number, lambda draft, shown: str(draft.number)),
    AssignDraft: TalkKind(_assign_lines, _take_assign, _assigned_words),
    OrderDraft: TalkKind(_order_lines, _take_order, _order_words),
    WordsDraft: TalkKind(_words_lines, _take_words, lambda draft, shown: draft.text),
}
