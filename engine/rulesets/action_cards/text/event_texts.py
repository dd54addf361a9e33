"""Texts of Special Events in English: names, descriptions, questions and commentary."""

from __future__ import annotations

from typing import Final

EVENTS: Final[dict[str, str]] = {
    "event.fog": "Fog on the fields",
    "event.fog.text": "Nobody sees farther than 12 inches until the next row has been played.",
    "event.cloudburst": "Cloudburst",
    "event.cloudburst.text": (
        "Until the next row has been played nobody sees farther than 18 inches, and all move three quarters "
        "of their Move."
    ),
    "event.smoke": "Burning stubble",
    "event.smoke.text": "Smoke: nobody sees farther than 8 inches until this row has been played.",
    "event.clear_sky": "The sky clears",
    "event.clear_sky.text": "Whatever shortened sight or slowed anybody is over. The fog lifts.",
    "event.double_time": "Double time",
    "event.double_time.text": "Until the next row has been played all move half as far again.",
    "event.mud": "Knee-deep",
    "event.mud.text": "Until the next row has been played all move half their Move.",
    "event.battle_fury": "The drums quicken",
    "event.battle_fury.text": "Until the next row has been played every card gives one action more.",
    "event.radio_silence": "Radio silence",
    "event.radio_silence.text": (
        "Until the next row has been played every card gives one action fewer, but never none."
    ),
    "event.second_wind": "Second wind",
    "event.second_wind.text": "The faction that is last plays one of its discarded cards again, at once.",
    "event.lucky_find": "Another chance",
    "event.lucky_find.text": "A faction chosen by lot plays one of its discarded cards again, at once.",
    "event.lost_orders": "Lost orders",
    "event.lost_orders.text": "The next open card of the faction that leads gives no actions.",
    "event.crossed_wires": "Crossed wires",
    "event.crossed_wires.text": "The open cards that are still to come are shuffled.",
    "event.long_day": "A long day",
    "event.long_day.text": "The discards go back into the deck at once: it lasts longer.",
    "event.reinforcements": "Reinforcements",
    "event.reinforcements.text": (
        "The faction with the smallest part of its figures left gets a new group in its start zone."
    ),
    "event.levies": "Everybody's cousins",
    "event.levies.text": "Every faction gets a new group of up to three figures in its start zone.",
    "event.supply_drop": "Supply drop",
    "event.supply_drop.text": "Every faction fills up one of its groups by up to two figures.",
    "event.field_hospital": "Walking wounded",
    "event.field_hospital.text": (
        "The faction with the smallest part of its figures left fills up one of its groups, as far as it goes."
    ),
    "event.air_strike": "Air strike",
    "event.air_strike.text": (
        "The faction that is last names a group of another: 12 dice, in the cover that it is in."
    ),
    "event.stray_rounds": "Stray rounds",
    "event.stray_rounds.text": "A group in the open, chosen by lot, takes 8 dice.",
    "event.sniper": "A sniper in the rocks",
    "event.sniper.text": (
        "The faction with the smallest part of its figures left names a group of another: 6 dice, one figure at most."
    ),
    "event.ambush": "Ambush",
    "event.ambush.text": (
        "Of the leading faction's groups in the open one, chosen by lot, takes 8 dice and is stunned."
    ),
    "event.barrage": "Harassing fire",
    "event.barrage.text": "Every group in the open takes 3 dice.",
    "event.mines": "Mines",
    "event.mines.text": (
        "One of the marked areas is mined for twenty rows: 6 inches wide, 6 dice for whoever stops in it."
    ),
    "event.gas": "Marsh gas",
    "event.gas.text": (
        "A cloud, 8 inches wide, drifts 4 inches a row towards the nearest group for four rows: 4 dice for all in it."
    ),
    "event.beast": "Something in the reeds",
    "event.beast.text": (
        "A beast comes out. For five rows it goes 8 inches towards the nearest figure and bites all within 2 inches "
        "with 9 dice. 20 points of fire wound it, and the second wound fells it."
    ),
    "event.stray_dogs": "Stray dogs",
    "event.stray_dogs.text": (
        "A pack runs 12 inches a row towards the nearest figure for three rows: 3 dice for all within 2.5 inches. "
        "9 points of fire wound it, and three wounds scatter it."
    ),
    "event.crows": "Crows",
    "event.crows.text": "Crows rise from the trees and the scrub: whoever hides there is stunned.",
    "event.flood": "Flood",
    "event.flood.text": (
        "The water comes down: every group in a river takes 6 dice, and all move three quarters until the "
        "next row has been played."
    ),
    "event.collapse": "A roof comes down",
    "event.collapse.text": (
        "One building, chosen by lot, becomes rubble: 8 dice against whoever is in it. It is none that "
        "anybody works in."
    ),
    "event.demolition": "Demolition charge",
    "event.demolition.text": (
        "The faction that is last names a building that nobody works in. It becomes rubble: 8 dice against "
        "whoever is in it."
    ),
    "event.breach": "Walls come down",
    "event.breach.text": "A wall or a fence, chosen by lot, is gone.",
    "event.panic": "Panic",
    "event.panic.text": (
        "Every group that is down to half its faction's size or less runs a Move towards its start zone."
    ),
    "event.nerves": "Nerves",
    "event.nerves.text": (
        "A group of the leading faction, chosen by lot, runs a Move towards its start zone and is stunned."
    ),
    "event.siren": "A siren far off",
    "event.siren.text": "Everybody listens: one group, chosen by lot, is stunned, and the open cards are shuffled.",
    "event.cease_fire": "A white flag",
    "event.cease_fire.text": (
        "A cease-fire is offered to all, sealed. Who takes it neither shoots at nor charges others who did, "
        "until the next row has been played."
    ),
}

SAID: Final[dict[str, str]] = {
    "choice.hunt": "Shoot at a monster",
    "choice.hunt.hint": "A group fires all its dice at a monster that it sees.",
    "hint.hunt": "{dice} dice against {number} a wound, {wounds|one wound|{wounds} wounds} left",
    "zone.monster": "{event}: {wounds|one wound|{wounds} wounds} left",
    "log.monster.fell": "{group} fire at {event}: {total} points. It falls!",
    "log.monster.hurt": "{group} fire at {event}: {total} points, {wounds|one wound|{wounds} wounds}.",
    "log.monster.unhurt": "{group} fire at {event}: {total} points do nothing.",
    "reason.wound_number": "{number} for a wound",
    "reason.wounds": "{wounds|one wound|{wounds} wounds}",
    "refuse.hunt/no-such-monster": "It is no longer there.",
    "event.squad": "{figures|one figure|{figures} figures} with {dice} dice ({first})",
    "event.truce.yes": "Cease fire",
    "event.truce.no": "Fight on",
    "ask.event.group": "{event}: which group?",
    "ask.event.feature": "{event}: which building?",
    "ask.event.squad": "{event}: who comes?",
    "ask.event.refit": "{event}: which group is filled up?",
    "ask.event.again": "{event}: which of your discarded cards do you play again?",
    "ask.event.truce": (
        "{event}: cease fire until {rows|the next row has|{rows} more rows have} been played? Nobody sees "
        "your answer before all have spoken."
    ),
    "ask.event.chance": "{event}: you are out of the game. What should chance pick?",
    "vote.lot": "Leave it to chance",
    "log.chance": "{faction}, who are out, wish that chance picks {wish}.",
    "waits.event": "to decide on a Special Event",
    "waits.chance": "to say, as those who are out, what chance should do",
    "dice.event": "Special Event",
    "order.event": "By lot",
    "stack.struck": "{target} are hit",
    "stack.lasting.until": "Until row {turn} has been played.",
    "stack.lasting.sight": "Nobody sees farther than {inches} inches.",
    "stack.lasting.move": "All move {percent} percent of their Move.",
    "stack.lasting.more": "Every card gives {actions|one action|{actions} actions} more.",
    "stack.lasting.fewer": "Every card gives {actions|one action|{actions} actions} fewer, but never none.",
    "stack.lasting.truce": "{faction} keep the cease-fire.",
    "log.event": "{event}. {words}",
    "log.event.idle": "{event} changes nothing.",
    "log.lasting": "{event}: it holds until row {turn} has been played.",
    "log.lasting.over": "{event}: it is over.",
    "log.truce.keeps": "{faction} take the cease-fire.",
    "log.truce.none": "No two factions want a cease-fire.",
    "log.danger": "{event}: keep clear of the circle.",
    "log.danger.moved": "{event}: it comes nearer.",
    "log.danger.gone": "{event}: it is gone.",
    "log.struck": "{event}: {total} points against {target}, and nobody falls.",
    "log.struck.kills": "{event}: {total} points against {target}: {kills|one falls|{kills} fall}.",
    "log.ruined": "{feature} comes down. Rubble is left of it.",
    "log.arrived": "{group} come on to the table: {figures|one figure|{figures} figures}.",
    "log.joined": "{group} are joined by {figures|one figure|{figures} figures}.",
    "log.card_again": "{card} is played again.",
    "log.card_lost": "{card} is lost: it gives no actions.",
    "log.row.reordered": "The cards still to come lie in another order now.",
    "log.discards_returned": "The discards are shuffled back into the deck.",
    "log.routed": "{group} run for it.",
    "refuse.truce/kept": "You and {faction} keep a cease-fire.",
    "refuse.shoot/too-far-to-see": "They are too far off to be seen in this weather.",
}
