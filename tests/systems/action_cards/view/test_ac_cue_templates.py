"""Cues by template: filled in, they equal the cues that the same events give whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from bench import scenes
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.events import CoreEvent, Event
from engine.core.view.projection import SceneChanges
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.rules.board import cover, table
from engine.rulesets.action_cards.state import events, names
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.system import ActionCards
from engine.rulesets.action_cards.view import cue_templates, dice_captions
from engine.rulesets.action_cards.view.cues import _inches
from protocol.ids import GroupId, MatchId, NodeId
from protocol.limits import Limits
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.delta import Nodes
from protocol.scene.nodes import Cue, RollId
from protocol.scene.template_filling import TemplateFilling
from protocol.text import Text, text
from protocol.wire.codec import decode_message, encode
from protocol.wire.from_server import Catalogue
from server.content.systems import install
from server.match.frames import PUBLIC, as_told, delta
from tests.support.systems.shipped import resolved_scenario, shipped_texts

MATCH = MatchId("m")

pytestmark = pytest.mark.slow

CATALOGUE = decode_message(encode(install(system, shipped_texts()).catalogue("en")), Limits())
assert isinstance(CATALOGUE, Catalogue)
FORMS = {form.id: form.cues for form in CATALOGUE.forms}
"""As a client gets them."""


def whole(event: object, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    """Build the cues without templates: every name looked up, every cue written out."""
    match event:
        case events.VolleyFired(volley=shot):
            target, linked = names.group(after, shot.target), len(shot.groups) > 1
            who = names.faction(after, shot.seat) if linked else names.group(after, shot.groups[0])
            kind = Text(f"cover.{cover.CLASSES[dice_captions.protection(after, shot)]}")
            line = text("log.shot.linked" if linked else "log.shot", group=who, target=target, cover=kind)
            about = tuple(map(names.group_node, (*shot.groups, shot.target)))
            yield Cue("shot", line, "AC-SHOOT-04" if linked else "AC-SHOOT-01", shot.seat, about)
            key = "log.shot.kills" if shot.kills else "log.shot.nothing"
            line = text(key, target=target, kills=shot.kills, total=shot.total, number=shot.kill_number)
            yield Cue("dice", line, "AC-SHOOT-02", shot.seat, about, dice=dice_captions.volley(after, shot))
        case events.GroupMoved(how="walk"):
            group, end, who = after.groups[event.group], after.figures[event.lead].at, names.group(after, event.group)
            inside = (
                table.board(after).standing[group.id].inside.keys()
                - table.board(before).standing[group.id].inside.keys()
            )
            line = text("log.moved", group=who, inches=_inches(event.came, end))
            if inside:
                line = text("log.moved_into", group=who, feature=names.feature(after, min(inside)))
            yield Cue("move", line, "AC-MOVE-01", group.owner, (names.group_node(group.id),), (event.came, end))
        case events.RowLaid():
            for place, card in enumerate(event.cards, 1):
                if card.seat >= 0:
                    line = text("log.row.card", place=place, card=names.card(after, card))
                    yield Cue("card", line, "AC-DECK-02", card.seat)
        case events.CardTurned():
            line = text("log.card_turned", faction=names.faction(after, event.seat), actions=event.actions)
            yield Cue("card", line, "AC-ACT-01", event.seat)
        case events.CardEnded() if before.left:
            line = text("log.card_ended", faction=names.faction(after, event.seat), left=before.left)
            yield Cue("card", line, "AC-ACT-01", event.seat)
        case events.FiguresRemoved():
            for owner in dict.fromkeys(before.figures[id].owner for id in event.figures):
                lost = [id for id in event.figures if before.figures[id].owner == owner]
                left = sum(figure.owner == owner for figure in after.figures.values()) + len(after.riders(owner))
                line = text("log.casualties", faction=names.faction(after, owner), lost=len(lost), left=left)
                yield Cue("casualty", line, "AC-SHOOT-03", owner, tuple(map(names.piece_node, lost)))


class Watched(ActionCards):
    """System that keeps the whole cues of each event."""

    def __init__(self) -> None:
        self.plain: list[Cue] = []

    def cues(
        self, event: Event[Skirmish] | CoreEvent, before: Skirmish, after: Skirmish
    ) -> Iterable[Cue | TemplatedCues]:
        self.plain += whole(event, before, after)
        return super().cues(event, before, after)


WANTED = {"shot", "moved", "row_card", "card_turned", "casualties"}
MOST_MATCHES = 6


@pytest.mark.parametrize(("scenario", "kind"), [("harrow_cross", "level1"), ("low_water", "random")])
def test_filled_cues_are_the_whole_ones(scenario: str, kind: str) -> None:
    """Matches are played until every template has been met: by chance one match may lack one."""
    used: set[str] = set()
    for seed in range(MOST_MATCHES):
        used |= compared(scenario, seed, kind, WANTED - used)
        if used >= WANTED:
            break
    assert used >= WANTED


def compared(scenario: str, seed: int, kind: str, wanted: set[str]) -> set[str]:
    """Return the templates of a match, played until all that are wanted have been met, at most to its end."""
    watched = Watched()
    resolved, seats = resolved_scenario(scenario)
    seen: list[tuple[Cue, ...]] = []
    used: set[str] = set()
    known: Nodes = {}

    def told(step: Step[Skirmish], frames: SceneChanges | None) -> None:
        nonlocal known
        public = frames.public if frames is not None else None
        nodes = play.projector.public.hashed.nodes if frames is not None else {}
        short = [cue for cue in public.cues if isinstance(cue, TemplatedCues)] if public is not None else []
        used.update(cue.template.name for cue in short)
        filled = TemplateFilling(FORMS, (known, nodes)).cues(as_told(short))
        assert [_bare(cue) for cue in filled] == watched.plain
        seen.append(filled)
        watched.plain.clear()
        known = nodes

    match: Match[Skirmish] = Match(watched, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH))
    play: SelfPlay[Skirmish] = SelfPlay(match, told)
    play.begin(Start(MATCH, seats, resolved))
    bots = {Seat(seat): {**system.bots, "random": RandomBot}[kind](seed + seat) for seat in range(seats)}
    for _ in range(20):
        play.play(bots, most=60)
        if used >= wanted:
            break
    assert all(cue.dice.n >= 0 for cues in seen for cue in cues if cue.dice is not None)
    return used


def _bare(cue: Cue) -> Cue:
    """Return a cue as the rules give it, without what the core fills in of the roll by its number."""
    return replace(cue, dice=replace(cue.dice, seat=-1, sides=0, faces=())) if cue.dice is not None else cue


def test_a_shot_travels_in_few_bytes() -> None:
    sizes: list[tuple[int, int]] = []

    def told(step: Step[Skirmish], frames: SceneChanges | None) -> None:
        if frames is not None and frames.public is not None:
            shown = delta(PUBLIC, frames.public)
            sizes.append((len(encode(replace(shown, acts=(), of=()))), len(encode(shown))))

    game = scenes.match(1)
    seat = game.match.may_act()[0]
    shot = scenes.shots(game.match.state)[seat]
    play = SelfPlay(game.match, told)
    play.projector = game.projector
    play.submit(seat, shot)
    without_acts, whole = sizes[-1]
    assert without_acts <= 120
    assert whole <= 230


def test_linked_fire_with_weapons_of_any_name() -> None:
    """A user's own weapon need not be named with the usual prefix."""
    parts = (
        (cue_templates.SHORT, 2, "rifle", 1),
        (cue_templates.WHOLE, 1, "Plasma lance", 3),
        (cue_templates.LINKED, 6),
    )
    told = cue_templates.linked_shot(
        (GroupId("2.1"), GroupId("2.2")), GroupId("1.4"), 2, 1, dice_captions.ALL_FALL, 2, 9, 20, 2, parts, RollId(3, 4)
    )
    faces = (6, 6, 5, 1, 1, 1)
    nodes: Nodes = {NodeId("seat/2"): {"name": {"k": "faction.line"}}, NodeId("group/1.4"): {"name": {"k": "a group"}}}
    fired, rolled = TemplateFilling(FORMS, (nodes,)).cues([told.template.filled(told, 2, 6, faces).wire])
    line = text("log.shot.linked", group=Text("faction.line"), target=Text("a group"), cover=Text("cover.cover"))
    about = tuple(map(NodeId, ("group/2.1", "group/2.2", "group/1.4")))
    assert fired == Cue("shot", line, "AC-SHOOT-04", 2, about)
    assert rolled.text.k == "log.shot.kills"
    assert rolled.dice is not None
    assert (rolled.dice.faces, rolled.dice.roll) == (faces, RollId(3, 4))
    assert [part.a.get("weapon") for part in rolled.dice.parts] == [Text("weapon.rifle"), Text("Plasma lance"), None]
    assert rolled.dice.parts[-1] == text("part.linked", dice=6)
    assert [reason.k for reason in rolled.dice.reasons] == ["reason.kill_number", "reason.all_fall"]
