"""Proposals that wait to be accepted, and are changed before: pieces are dragged elsewhere, groups taken out or in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.input.gestures.aims import Meaning, Pointed
from client.input.gestures.clicks import Note
from client.input.gestures.ghosts import Ghosts
from client.input.gestures.parties import Party, party_of
from client.input.gestures.proposals import Advisor, Proposals, Wanted
from client.input.gestures.sights import Sights
from client.input.prompt_controller import PromptController
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Point
from protocol.text import Text
from protocol.wire.from_server import Proposed

BESIDE: Final = 80
"""Distance from a ghost, in hundredths, within which a click accepts what is proposed."""
STAYS: Final = 12.0
"""Seconds for which a refusal is shown, if no other click ends it."""


class Holding(Sights):
    """Proposal at a prompt. `aim` is what the pointer or the last click meant; `held` is True while its proposal waits
    to be accepted: its `ghosts` can be dragged, and its groups exchanged. `note`: why something cannot be."""

    def __init__(self, prompts: PromptController, advisor: Advisor, clock: Callable[[], float]) -> None:
        super().__init__(prompts, advisor)
        self.clock = clock
        self.proposals = Proposals(advisor)
        self.aim: Meaning | None = None
        self.held = False
        self.ghosts = Ghosts()
        self.note: Note | None = None
        self.note_until = 0.0

    def tell(self, note: Note) -> None:
        """Show for some seconds why something cannot be."""
        self.note, self.note_until = note, self.clock() + STAYS

    def let_go(self) -> None:
        """Drop what is proposed, and the choice from the bar."""
        self.armed, self.aim, self.held = "", None, False
        self.ghosts, self.corners = Ghosts(), []
        self.proposals.clear()

    @property
    def party(self) -> Party | None:
        """The groups that carry out what is meant; None where it is an act of one group."""
        return party_of(self.aim.choice, self.fields) if self.aim is not None else None

    def members(self) -> list[NodeId]:
        """Return the groups that take part in the proposal, each as often as it does; none where one group acts."""
        party, shown = self.party, self.proposals.shown
        if party is None or self.aim is None or shown is None:
            return []
        return party.members(self.aim.fields if self.held else shown.fields)

    def is_of_several(self, proposal: Proposed) -> bool:
        """Tell whether more than one group takes part in a proposal."""
        party = self.party
        return party is not None and len(set(party.members(proposal.fields))) > 1

    def hold(self, aim: Meaning, proposal: Proposed) -> None:
        """Let a proposal wait to be accepted."""
        party = self.party
        if party is not None:
            aim = Meaning(aim.choice, {**aim.fields, **party.picked(proposal.fields)}, aim.thing, aim.point)
            self.aim, self.proposals.shown_for = aim, Wanted(aim.choice.id, aim.fields)
        self.held = True
        self.ghosts.begin(aim, proposal)

    def exchange(self, at: Pointed, *, again: bool) -> bool:
        """Take the group under the pointer out of what is proposed, or in; return False where none of its groups is
        there. `again`: take one in once more that is in it already."""
        aim, party = self.aim, self.party
        thing = next((thing for thing in at.things if party is not None and thing in party.candidates), NO_NODE)
        if aim is None or party is None or not thing or thing == aim.thing:
            return False
        picked = party.exchanged(party.members(aim.fields), thing, again=again)
        changed = Meaning(aim.choice, {**aim.fields, **picked}, aim.thing, aim.point)
        self.note, self.aim = None, changed
        self.proposals.want(changed.choice.id, changed.fields, self.clock())
        return True

    def is_accepted_by(self, at: Pointed) -> bool:
        """Tell whether a click means the proposal that waits: on its object or its ghosts."""
        aim = self.aim
        if aim is None or at.held:
            return False
        if aim.thing:
            return aim.thing in at.things
        return aim.point is None or any(_is_near(end, at.point) for end in (*self.ghosts.shown().values(), aim.point))

    def take_proposal(self) -> None:
        """Note the fields that a proposal tells the options of."""
        shown, asked = self.proposals.shown, self.proposals.shown_for
        if shown is None or asked is None:
            return
        for field in shown.open:
            if not field.lazy:
                self.fields[asked.choice, field.key] = field
        if self.held and self.ghosts.good is not None and self.aim is not None:
            self._take_changed(shown, self.aim)

    def _take_changed(self, shown: Proposed, aim: Meaning) -> None:
        """Take in the answer to what was changed: a refused change is taken back."""
        assert self.ghosts.good is not None
        if shown.code:
            at = shown.at or self.ghosts.places.get(self.ghosts.held) or aim.point or self.subject
            self.tell(Note(shown.text or Text(shown.code), at, shown.by))
            if not self.ghosts.held:
                self._put_back()
        elif self.proposals.shown_for == (aim.choice.id, aim.fields):
            self.ghosts.good = (aim, dict(self.ghosts.places), shown)

    def _put_back(self) -> None:
        """Go back to the last proposal that was not refused."""
        assert self.ghosts.good is not None
        self.aim, places, self.proposals.shown = self.ghosts.good
        self.ghosts.places = dict(places)
        self.proposals.shown_for = Wanted(self.aim.choice.id, self.aim.fields)

    def grab(self, point: Point, reach: int) -> bool:
        """Take the ghost under a point in hand; return False if there is none."""
        return self.held and self.ghosts.take(point, reach)

    def move_ghost(self, point: Point) -> None:
        """Put the ghost in hand somewhere else."""
        aim = self.aim
        moved = self.ghosts.move(aim, point) if aim is not None and self.ghosts.held else None
        if moved is not None:
            self.note, self.aim = None, moved
            self.proposals.want(moved.choice.id, moved.fields, self.clock())

    def drop_ghost(self) -> None:
        """Let the ghost go that is in hand; it goes back where it has been refused."""
        was_held, self.ghosts.held = self.ghosts.held, NO_NODE
        shown = self.proposals.shown
        if was_held and shown is not None and shown.code and not self.proposals.is_busy:
            self._put_back()


def _is_near(a: Point, b: Point) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) <= BESIDE
