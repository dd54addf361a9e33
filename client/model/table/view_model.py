"""View model: everything that the board and the panels draw of a table. Needs no window."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence, Set as AbstractSet
from dataclasses import dataclass, field

from client.fairness.table_check import TableCheck
from client.model.playback.ribbon import RibbonEntry
from client.model.playback.shown_scene import Playing
from client.model.table.tabletop import Tabletop
from client.text.phrases import phrase
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.nodes import TURN, Dice, Prompt, RollId
from protocol.wire.from_server import ClockView, SeatView, TableView


@dataclass(frozen=True)
class LogLine:
    """A line of the log: a cue's words, its rule, its kind, its dice, and the seat that acted. `told`: the match told
    it, so that its history has it, too; `act`: the number of the act that it is part of, 0 where it is part of none,
    `title` what is done in it and `group` the name of what acts; the sum of an act has the kind "act"."""

    text: str
    rule: str = ""
    seat: int = -1
    kind: str = ""
    told: bool = False
    act: int = 0
    title: str = ""
    group: str = ""
    dice: Dice | None = None


@dataclass(frozen=True)
class ChatEntry:
    """A line of chat as it is drawn.

    `seat` is the speaker's, -1 for a spectator or the table. `to`: the seat that it is for, -1 for all; the others read
    it only where it is `open`. `who`: the speaker's id; `at`: when it was said, in Unix seconds;
    `number`: of a line of the lobby; `to_name`: the name of who held the seat that it is for; `is_to_side`: the
    speaker's side alone reads it; `is_news`: it tells of an offer, and nobody has said it.
    """

    name: str
    text: str
    seat: int = -1
    to: int = -1
    open: bool = False
    who: str = ""
    at: int = 0
    number: int = 0
    to_name: str = ""
    is_to_side: bool = False
    is_news: bool = False


@dataclass
class ViewModel:
    """State of a table as it is drawn: scene, texts, log, chat, dice, link.

    `elapsed` is seconds since `view` came, `clocks_elapsed` since its clocks did; `playing`: the act being shown;
    `opened`: activations and acts that are open in the log, by key; `notice`: what else the person is told;
    `strictness`: tells of a roll at a strict table whether it is strict, of others None; `last`: the last act that was
    shown.
    """

    top: Tabletop
    texts: Texts
    view: TableView | None = None
    log: Sequence[LogLine] = ()
    chat: Sequence[ChatEntry] = ()
    dice: Sequence[Dice] = ()
    link: str = ""
    link_good: bool = True
    elapsed: float = 0.0
    clocks_elapsed: float = 0.0
    names: dict[int, str] = field(default_factory=dict)
    fairness: TableCheck | None = None
    playing: Playing | None = None
    opened: AbstractSet[Hashable] = frozenset()
    notice: str = ""
    strictness: Callable[[RollId], bool | None] = lambda roll: None
    last: RibbonEntry | None = None

    @property
    def words(self) -> tuple[Texts, int]:
        """All that texts are put into words by: others after each catalogue that comes."""
        return self.texts, self.texts.learnt

    @property
    def seat(self) -> int:
        """The player's own seat, -1 for a spectator."""
        return self.view.seat if self.view is not None else -1

    @property
    def shows_time(self) -> bool:
        """True where time runs that anybody waits for: not where one person plays bots without a limit."""
        clocks = self.view.clocks if self.view is not None else ()
        people = sum(bool(seat.who) for seat in self.view.seats) if self.view is not None else 0
        return bool(clocks) and (people > 1 or any(clock.left >= 0 for clock in clocks))

    def seat_view(self, seat: int) -> SeatView | None:
        views = self.view.seats if self.view is not None else ()
        return next((view for view in views if view.seat == seat), None)

    def seat_name(self, seat: int) -> str:
        """Return the faction of a seat, or its number."""
        node = self.top.seats.get(seat)
        return self.texts.say(node.name) if node is not None else phrase("player.seat", number=seat + 1)

    def group_name(self, group: NodeId) -> str:
        """Return the name of a group, its id where it is not in the scene."""
        node = self.top.groups.get(group)
        return self.texts.say(node.name) if node is not None else str(group)

    def player_name(self, seat: int) -> str:
        """Return the name of the person or bot that holds a seat."""
        view = self.seat_view(seat)
        if view is None:
            return self.names.get(seat, "")
        if view.bot and view.who:
            return phrase("player.bot_plays", name=view.name)
        if view.bot:
            return phrase("player.bot", name=view.name or phrase("player.bot.unnamed"), kind=self.texts.bot(view.bot))
        return view.name or phrase("player.free")

    def prompt_title(self, prompt: Prompt) -> str:
        """Return a prompt's title, with the actions left of the viewer's current card where the prompt is for the turn.

        The row of cards says what is left, since it changes with each act, and the prompt only with its choices.
        """
        title, row = self.texts.say(prompt.title), self.top.row
        is_turn = prompt.window == TURN and bool(prompt.choices)
        if row is None or not is_turn or row.left < 1:
            return title
        current = [card.owner for card in row.cards if card.state == "current"]
        is_own = bool(current) and (self.seat < 0 or current[0] in (self.seat, -1))
        return phrase("prompt.left", title=title, left=row.left) if is_own else title

    def clock(self, seat: int) -> ClockView | None:
        clocks = self.view.clocks if self.view is not None else ()
        return next((clock for clock in clocks if clock.seat == seat), None)


def minutes(milliseconds: float) -> str:
    """Return a span of milliseconds as 1:05."""
    seconds = max(int(milliseconds / 1000), 0)
    return f"{seconds // 60}:{seconds % 60:02}"
