"""Proposals: actions that no rule lists, agreed on by vote (AC-SPEC-02)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.core.rules.questions import Ask, Window, pick_one
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.cards import actions
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
from engine.rulesets.action_cards.state.intents import Propose
from engine.rulesets.action_cards.state.state import Proposal, Skirmish
from protocol.ids import GroupId
from protocol.scene.fields import Option
from protocol.text import Text

EFFECTS: Final = ("again", "clear", "stun", "open", "other")
VOTING: Final = Window("vote", 20)
MOST_WORDS: Final = 120
SPRINT: Final = 2
"""Moves that "again" gives for its one action."""


@implements("AC-SPEC-02")
async def propose(game: Game[Skirmish], seat: Seat, intent: Propose) -> None:
    """Put an action that no rule lists to the vote of the others; if most allow it, it costs one action."""
    proposal = check_proposal(game.state, seat, intent)
    game.emit(ProposalMade(proposal))
    votes = await game.ask_together(_ballots(game.state, proposal), "vote", VOTING)
    agreed = allowed(votes)
    game.emit(ProposalVoted({int(voter): vote for voter, vote in votes.items()}, agreed))
    if not agreed:
        return
    actions.take(game, proposal.group, "propose")
    helpers = game.state.groups[proposal.group].figures
    success = not proposal.roll or specials.action_roll(game, seat, helpers)
    if success:
        bring_about(game, proposal)
    game.emit(ProposalDone(success))


@implements("AC-SPEC-02")
def check_proposal(state: Skirmish, seat: int, intent: Propose) -> Proposal:
    """Return the proposal if it may be made now: once a card, with an action left, about something that exists. Raises
    IllegalIntent."""
    if state.proposed:
        raise IllegalIntent("propose/once-a-card")
    actions.check_actions(state)
    actions.check_free(state, seat, intent.group)
    if not intent.words.strip() or len(intent.words) > MOST_WORDS:
        raise IllegalIntent("propose/words")
    if intent.effect not in EFFECTS:
        raise IllegalIntent("propose/unknown-effect")
    about = intent.about
    if intent.effect == "clear" and not _stands(state, about):
        raise IllegalIntent("propose/no-such-feature")
    if intent.effect == "open" and not (_stands(state, about) and table.feature(state, about).doors):
        raise IllegalIntent("propose/no-such-building")
    if intent.effect == "stun" and (about not in state.groups or state.groups[GroupId(about)].owner == seat):
        raise IllegalIntent("propose/no-such-group")
    if intent.effect == "other" and about and not (_stands(state, about) or about in state.groups):
        raise IllegalIntent("propose/about-nothing")
    return Proposal(seat, intent.group, intent.effect, intent.words.strip(), intent.roll, about)


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


def _stands(state: Skirmish, feature: str) -> bool:
    return feature not in state.gone and any(known.id == feature for known in state.resolved.scenario.features)


def _ballots(state: Skirmish, proposal: Proposal) -> dict[Seat, Ask[str]]:
    title = Text(
        "ask.vote",
        {
            "seat": names.faction(state, proposal.seat),
            "effect": Text(f"effect.{proposal.effect}"),
            "words": proposal.words,
        },
    )
    options = [Option(vote, Text(f"vote.{vote}")) for vote in ("yes", "no", "abstain")]
    ask = pick_one(title, options, "abstain", "AC-SPEC-02")
    return {Seat(seat): ask for seat, own in enumerate(state.seats) if own.alive and seat != proposal.seat}
