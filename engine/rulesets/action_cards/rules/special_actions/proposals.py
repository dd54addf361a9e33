"""Proposals: actions that no rule lists, agreed on by vote (AC-SPEC-02)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from engine.core.rules.questions import Ask, Window, pick_one
from engine.kit.blanks import Blank, pieces
from engine.kit.rules import Game, Gesture, IllegalIntent, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.action_cards.rules.cards.actions import Choosing, check_acting, check_free, own, pick, take_action
from engine.rulesets.action_cards.rules.special_actions import specials
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.events import (
    BuildingOpened,
    FeatureCleared,
    FreeMovesWon,
    GroupStunned,
    MarkerSet,
    ProposalDone,
    ProposalMade,
    ProposalVoted,
)
from engine.rulesets.action_cards.state.state import Proposal, Skirmish
from protocol.ids import GroupId
from protocol.scene.fields import Option, PickOption, Pieces, Words
from protocol.text import Text, text

EFFECTS: Final = ("again", "clear", "stun", "open", "other")
NEEDS: Final = {"clear": "propose/no-such-feature", "open": "propose/no-such-building", "stun": "propose/no-such-group"}
"""Effects that are about something, with the refusal of anything else."""
VOTING: Final = Window("vote", 20)
MOST_WORDS: Final = 120
SPRINT: Final = 2
"""Moves that "again" gives for its one action."""


class Propose(Intent, frozen=True, tag="propose"):
    """Try something that no rule lists, for the others to vote on.

    `effect`: again, clear, stun, open or other; `about`: the feature or group that it is about.
    """

    group: GroupId
    effect: str
    words: str
    roll: bool = False
    about: str = ""


@implements("AC-SPEC-02")
async def propose(game: Game[Skirmish], seat: Seat, intent: Propose) -> None:
    """Put an action that no rule lists to the vote of the others; if most allow it, it costs one action."""
    proposal = check_proposal(game.state, seat, intent)
    trying = game.declare("propose", seat, group=names.group_node(proposal.group))
    game.emit(ProposalMade(proposal))
    votes = await game.ask_together(_ballots(game.state, proposal), "vote", VOTING)
    agreed = allowed(votes)
    game.emit(ProposalVoted({int(voter): vote for voter, vote in votes.items()}, agreed))
    if not agreed:
        trying.resolve("refused")
        return
    take_action(game, proposal.group, "propose")
    helpers = game.state.groups[proposal.group].figures
    success = not proposal.roll or specials.action_roll(game, seat, helpers)
    if success:
        bring_about(game, proposal)
    game.emit(ProposalDone(success))
    trying.resolve("done" if success else "failed")


@implements("AC-SPEC-02")
def check_proposal(state: Skirmish, seat: int, intent: Propose) -> Proposal:
    """Return the proposal if it may be made now: once a card, about something there. Raises IllegalIntent."""
    forbid(state.proposed, "propose/once-a-card")
    check_acting(state, seat, intent.group)
    forbid(not intent.words.strip() or len(intent.words) > MOST_WORDS, "propose/words")
    forbid(intent.effect not in EFFECTS, "propose/unknown-effect")
    known = possible(state, seat, intent.effect)
    if intent.about not in known and (intent.effect in NEEDS or (intent.about and intent.effect == "other")):
        raise IllegalIntent(NEEDS.get(intent.effect, "propose/about-nothing"))
    return Proposal(seat, intent.group, intent.effect, intent.words.strip(), intent.roll, intent.about)


@implements("AC-SPEC-02")
def allowed(votes: Mapping[Seat, str]) -> bool:
    """Tell whether more voted yes than no; abstentions do not count."""
    cast = list(votes.values())
    return cast.count("yes") > cast.count("no")


@implements("AC-SPEC-02")
def bring_about(game: Game[Skirmish], proposal: Proposal) -> None:
    """Carry out the effect of a proposal; "other" leaves a marker only."""
    match proposal.effect:
        case "again":
            game.emit(FreeMovesWon(proposal.group, SPRINT))
        case "clear":
            game.emit(FeatureCleared(proposal.about))
        case "stun":
            game.emit(GroupStunned(GroupId(proposal.about)))
        case "open":
            game.emit(BuildingOpened(proposal.about))
        case _:
            game.emit(MarkerSet(proposal.about or proposal.group, proposal.words))


@implements("AC-SPEC-02")
def possible(state: Skirmish, seat: int, effect: str) -> list[str]:
    """Return what an effect may be about: ids of features that stand, and of groups."""
    standing = [feature for feature in state.resolved.scenario.features if feature.id not in state.gone]
    match effect:
        case "clear":
            return [feature.id for feature in standing]
        case "open":
            return [feature.id for feature in standing if feature.doors]
        case "stun":
            return [group.id for group in state.groups.values() if state.hostile(group.owner, seat)]
        case "other":
            return [*[feature.id for feature in standing], *state.groups]
    return []


def _ballots(state: Skirmish, proposal: Proposal) -> dict[Seat, Ask[str]]:
    faction, effect = names.faction(state, proposal.seat), Text(f"effect.{proposal.effect}")
    title = text("ask.vote", seat=faction, effect=effect, words=proposal.words)
    options = [Option(vote, Text(f"vote.{vote}")) for vote in ("yes", "no", "abstain")]
    ask = pick_one(title, options, "abstain", "AC-SPEC-02")
    return {Seat(seat): ask for seat, own in enumerate(state.seats) if own.alive and seat != proposal.seat}


def _about(draft: Choosing, field: Pieces) -> Pieces:
    state, effect = draft.state, draft.word("effect")
    known = possible(state, draft.seat, effect)
    nodes = [names.group_node(GroupId(id)) if id in state.groups else names.feature_node(id) for id in known]
    options = tuple(Option(node, names.node(state, node)) for node in nodes)
    return replace(field, options=options, least=int(effect in NEEDS), most=int(bool(options)))


def _proposal(draft: Choosing) -> Propose:
    group, effect, words = draft.group("group"), draft.word("effect"), draft.word("words")
    return Propose(group, effect, words, draft.word("roll", "") == "yes", "".join(draft.nodes("about")[:1]))


PROPOSE: Final = Verb(
    Label("propose", "p", "Try something new", "Say what you want to do; the others vote on it."),
    propose,
    Blank(PickOption("effect", Text(""), options=tuple(Option(one, Text(f"effect.{one}")) for one in EFFECTS))),
    pick("group", own, lambda draft, id: check_free(draft.state, draft.seat, id), shape=Pieces("group", Text(""))),
    pieces("about", _about, least=0),
    Blank(PickOption("roll", Text(""), options=(Option("no", Text("no")), Option("yes", Text("yes"))))),
    Blank(Words("words", Text(""), most=MOST_WORDS)),
    when=lambda state, seat: state.left and not state.proposed,
    make=_proposal,
    gesture=Gesture("group", rank=8, ends=True),
)
