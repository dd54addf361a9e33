"""Army lists as a system with pages offers them to its host: drawn, read, written, and a form to build them in."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from msgspec.structs import replace

from engine.core.rules.army_lists import BroughtList
from engine.kit.lists.list_texts import brought_up, decode, encode, read_draft, read_list, sound, write_file
from engine.kit.lists.page_rules import MOST_COUNT, MOST_ENTRIES, ArmyList, B, E, PageRules
from protocol.text import Text
from protocol.wire.list_form import AnyControl, Button, Change, FormSection, ListForm, Pick

FRAME = ("army", "limit", "sample", "chance", "clear")


class PageLists(PageRules[B, E]):
    """The ArmyLists (engine/core/rules/army_lists.py) of a system that answers the questions of PageRules."""

    def factions(self, content: object) -> Sequence[str]:
        """Return the ids of the factions."""
        return list(self.pages(self.book(content)))

    def empty(self, content: object, faction: str, limit: int) -> str:
        """Return the code of an empty list. Raises ListRefused."""
        book = self.book(content)
        page = self.pages(book).get(faction)
        if page is None:
            raise self.refused("no-army", army=faction)
        return encode(self, book, ArmyList(faction, page.version, limit))

    def build(self, content: object, faction: str, limit: int, seed: int) -> str:
        """Return the code of a randomly drawn list, the same for the same seed. Raises ListRefused."""
        book = self.book(content)
        return encode(self, book, self.draw(book, faction, limit, seed))

    def read(self, content: object, written: str, file: str = "") -> BroughtList:
        """Read a list from its code or as TOML, brought up to date. Raises ListRefused with every fault."""
        book = self.book(content)
        listed, changed = sound(self, book, read_list(self, book, written, file))
        page, points = self.pages(book)[listed.army], self.points(book, listed)
        lines = (self.total(book, listed), *[self.row(book, listed, entry) for entry in listed.entries])
        name = self.said(listed.name) if listed.name else Text(page.name)
        return BroughtList(encode(self, book, listed), page.id, name, points, listed.limit, lines, tuple(changed))

    def write(self, content: object, code: str) -> str:
        """Write a list as TOML. Raises ListRefused."""
        book = self.book(content)
        return write_file(self, book, brought_up(self, book, decode(self, book, code))[0])

    def form(self, content: object, draft: str, change: Change | None = None) -> ListForm:
        """Return the form of a draft, or of the draft after a change. A change to a row that is not there changes
        nothing. Raises ListRefused."""
        book = self.book(content)
        listed, told = brought_up(self, book, read_draft(self, book, draft))
        if change is not None:
            listed = self._changed(book, listed, change)
        wrong = [fault.text for fault in self.faults(book, listed)]
        title = Text(f"{self.words}form.title", {"army": Text(self.pages(book)[listed.army].name)})
        sections = (self._frame(book, listed), *self.sections(book, listed))
        code, file = encode(self, book, listed), write_file(self, book, listed)
        return ListForm(code, title, self.total(book, listed), sections, (*told, *wrong), file, listed.army)

    def said(self, words: str) -> Text:
        """Return a person's words as they are, which no catalogue translates."""
        return Text(f"{self.words}words", {"words": words})

    def _frame(self, book: B, listed: ArmyList[E]) -> FormSection:
        form, pages = f"{self.words}form", list(self.pages(book).values())
        at = next(place for place, page in enumerate(pages) if page.id == listed.army)
        sizes = tuple([Text(f"{form}.points", {"points": limit}) for limit in self.limits])
        size = self.limits.index(listed.limit) if listed.limit in self.limits else 0
        names, hint = tuple([Text(page.name) for page in pages]), tuple(map(Text, pages[at].lines[-1:]))
        rows: tuple[AnyControl, ...] = (
            Pick("army", Text(f"{form}.army"), options=names, value=at, hint=hint),
            Pick("limit", Text(f"{form}.limit"), options=sizes, value=size),
            *[Button(id, Text(f"{form}.{id}")) for id in FRAME[2:]],
        )
        return FormSection(Text(f"{form}.frame"), rows)

    def _changed(self, book: B, listed: ArmyList[E], change: Change) -> ArmyList[E]:
        what, _, rest = change.row.partition("/")
        if what in FRAME:
            return self._reframed(book, listed, what, change.value)
        if what == "take":
            return self._taken(book, listed, rest, change.value)
        place, _, which = rest.partition("/")
        if not place.isdigit() or int(place) >= len(listed.entries):
            return listed
        entries, at = list(listed.entries), int(place)
        if what == "split" and len(entries) < MOST_ENTRIES:
            entries.insert(at + 1, self.another(entries[at]))
        elif what == "line" and not change.value:
            del entries[at]
        elif what == "line":
            entries[at] = replace(entries[at], count=min(change.value, MOST_COUNT))
        else:
            entries[at] = self.refitted(book, listed.army, entries[at], what, which, change.value)
        return replace(listed, entries=tuple(entries))

    def _reframed(self, book: B, listed: ArmyList[E], what: str, value: int) -> ArmyList[E]:
        pages = list(self.pages(book).values())
        if what == "army" and value < len(pages):
            return ArmyList(pages[value].id, pages[value].version, listed.limit)
        if what == "limit" and value < len(self.limits):
            return replace(listed, limit=self.limits[value])
        if what == "clear":
            return replace(listed, entries=())
        if what == "sample":
            return self.ready(book, listed.army, listed.limit)
        if what == "chance":
            # the seed is derived from the draft: the same draft gives the same list
            seed = blake2b(encode(self, book, listed).encode(), digest_size=6).digest()
            return self.draw(book, listed.army, listed.limit, int.from_bytes(seed, "big"))
        return listed

    def _taken(self, book: B, listed: ArmyList[E], unit: str, wanted: int) -> ArmyList[E]:
        """Set the number of a unit: more of it go on its plain line, or a new one; fewer leave its last line first."""
        plain = self.plain(book, listed.army, unit)
        if plain is None:
            return listed
        entries = list(listed.entries)
        had = [at for at, entry in enumerate(entries) if entry.unit == unit]
        more = min(wanted, MOST_COUNT) - sum(entries[at].count for at in had)
        if more > 0:
            at = next((at for at in had if replace(entries[at], count=1) == plain), -1)
            if at >= 0:
                entries[at] = replace(plain, count=entries[at].count + more)
            elif len(entries) < MOST_ENTRIES:
                entries.append(replace(plain, count=more))
        for at in reversed(had):
            fewer = min(max(-more, 0), entries[at].count)
            entries[at] = replace(entries[at], count=entries[at].count - fewer)
            more += fewer
        return replace(listed, entries=tuple([entry for entry in entries if entry.count]))
