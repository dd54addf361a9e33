"""Words of the checks of dice. They are the program's own: no catalogue of a server may replace them."""

from __future__ import annotations

from typing import Final

PREFIX: Final = "fair."

ENGLISH: Final[dict[str, str]] = {
    "fair.asking": "asking the host for the proof of its dice",
    "fair.running": "round {round} is running",
    "fair.checked": "dice of round {round} checked",
    "fair.nobody": "Nobody could choose these dice (round {round}).",
    "fair.far": "These could have, this far: {how} (round {round}).",
    "fair.no_trust": "Do not trust these: {why}",
    "fair.line.yours": "round {round} checked: nobody could choose its dice",
    "fair.line.but": "round {round} checked: yours, but {sets}",
    "fair.line.older": "round {round} checked, but your part is {behind|one round|{behind} rounds} old",
    "fair.line.not": "round {round} checked, but it rests on others, not on you",
    "fair.line.watched": "round {round} checked: it rests on those who play",
    "fair.choice.but": "{who} could have chosen among {sets}",
    "fair.choice.older": "{who} could have chosen among {sets}: your last part was "
    "{behind|one round|{behind} rounds} ago",
    "fair.rests.none": "no player's program had a part",
    "fair.rests.one": "rests on the program of {names}",
    "fair.rests.more": "rests on the programs of {names}",
    "fair.any.none": "no player's program had a part, and the host could have chosen any dice",
    "fair.any.one": "they rest on the program of {names}, with which the host could have chosen any dice",
    "fair.any.more": "they rest on the programs of {names}, and with all of them the host could have chosen any dice",
    "fair.sets": "{sets|one set|{sets} sets} of dice",
    "fair.sets.more": "more than {sets} sets of dice",
    "fair.the_host": "the host",
    "fair.you": "you",
    "fair.your_seat": "your seat",
    "fair.unnamed": "seat {number}",
    "fair.same_name": "{name} (seat {number})",
    "fair.and": "{first} and {last}",
    "fair.seats": "Parts: {seats}",
    "fair.seat.in": "{name} in",
    "fair.seat.missing": "{name} missing",
    "fair.seat.out": "{name} sitting out",
    "fair.seat.none": "{name} no program",
    "fair.seat.bot": "{name} bot",
    "fair.no_parts": "Nobody's program can add to the dice of this table.",
    "fair.cannot_keep": "Your program cannot keep its part, so it gives none: {why}",
    "fair.refused": "The host refused your program's part in round {round}.",
    "fair.refused.late": "The host says that your program's part came too late in round {round}.",
    "fair.other_program.now": "Another program speaks for your seat since round {round}.",
    "fair.other_program.then": "Another program, or yours before you started it anew, spoke for your seat from round "
    "{round} on.",
    "fair.cards_from": "cards from a deck shuffled in round {round}, whose mark counts here, too",
    "fair.given_up": "The host gave up {acts|an act|{acts} acts} in round {round} after a fault; "
    "{acts|its|their} dice stay spent.",
    "fair.given_up.first": "The host gave up {acts|an act|{acts} acts} before round 1 after a fault; "
    "{acts|its|their} dice stay spent.",
    "fair.earlier": "{rounds|One earlier round is|{rounds} earlier rounds are} not listed here.",
    "fair.aloud": "Read aloud: “My word of round {round} is {word}.”",
    "fair.round": "Round {round}",
    "fair.replay.title": "Whose dice were these?",
    "fair.replay.close": "Back to the replay",
    "fair.replay.parts": "These could have, this far: each round rests on the programs named with it, and with all of "
    "them the host could have chosen any dice.",
    "fair.replay.none": "No round of dice was begun in this match.",
    "fair.replay.unreadable": "The record in this file cannot be read: nothing can be said of its dice.",
    "fair.replay.dice_1": "These rounds were begun before the second dice scheme (dice-v2). In the first one the parts "
    "of the programs did not bind the host enough: it could choose dice.",
    "fair.replay.means": "This is what the record in this file says. Whether it holds says: eschaton verify FILE.",
    "fair.page.title": "Are the dice fair?",
    "fair.page.save": "Save the proof",
    "fair.page.close": "Back to the table",
    "fair.page.round": "Round {round}: {rolls|one roll|{rolls} rolls} ({shown} seen here), "
    "{cards|one card|{cards} cards}",
    "fair.page.words": "Read the words to each other by voice, not in this chat. The same word means: you were told "
    "the same history, with the same dice and cards, up to the end of that round.",
    "fair.page.means": "Checked means: these dice follow from what the host and the programs were bound to, and none "
    "was changed, repeated or left out. It does not mean that the host cannot look at hidden cards and tell a friend.",
    "fair.host": "Host key {key}, as your profile knows it for this address. Its receipts are kept there too.",
    "fair.host.new": "Host key {key} is NOT the one that this server had before ({before}). Ask the host by another "
    "way whether they have set it up anew.",
    "fair.host.none": "This host has no key: nothing that it says can be proven.",
    "fair.page.trust": "Trust the new key",
    "fair.after.waiting": "waiting for the host to open the secret of this match",
    "fair.after.loading": "fetching the record of the match: {percent} %",
    "fair.after.checking": "checking every die and card of the match",
    "fair.after.checked": "every die and card of the match checked, and the record with "
    "{receipts|your one receipt|your {receipts} receipts}",
    "fair.after.closed": "unproven: the host has not opened the secret of this match",
    "fair.after.none": "unproven: the host does not give the record of this match",
    "fair.after.memory": "unproven: the record of the match could not be checked: it asks for more memory than "
    "{mib} MiB",
    "fair.after.time": "unproven: the record of the match could not be checked: it asks for more time than {seconds} s",
    "fair.after.receipts": "unproven: the receipts that your program has kept are damaged: the host has not signed "
    "what stands there",
    "fair.after.broken": "unproven: the record of the match could not be checked: its check broke off",
    "fair.after.wrong": "WRONG: {why}",
    "fair.after.other": "WRONG: the record of the match is signed with another key than the receipts that you were "
    "given in it",
    "fair.log": "Dice of round {round} checked: {rolls|one roll|{rolls} rolls}, {cards|one card|{cards} cards}. "
    "Word: {word}",
    "fair.log.before": "{rounds|One round|{rounds} rounds} before you came: dice checked from the host's record.",
    "fair.no_proof": "unproven: the host gives no proof of its dice",
    "fair.before_dice_2": "unproven: this match began before the second dice scheme (dice-v2), and in the first one a "
    "host could choose dice",
    "fair.withheld": "unproven: the host has not opened the seed of round {round}",
    "fair.shown_unproven": "unproven: dice were shown in round {round} of which the host has given no proof",
    "fair.too_much": "unproven: the host tells more than can be checked here",
    "fair.shorter": "WRONG: the host takes back {facts} facts that it had told: there are two histories",
    "fair.no_beginning": "WRONG: the host tells another beginning of the match",
    "fair.other_match": "WRONG: the host proves another match than this one",
    "fair.not_signed": "WRONG: the host's signature of the record does not fit",
    "fair.two_heads": "WRONG: the host has signed two histories up to step {version}; your receipts prove it",
    "fair.two_stories": "WRONG: the host tells this match otherwise than it did before",
    "fair.two_answers": "WRONG: the host has signed two different answers of yours to one question; your receipts "
    "prove it",
    "fair.answer_expired": "WRONG: the host has signed your answer, and that your time ran out on the same question; "
    "your receipts prove it",
    "fair.other_host": "WRONG: this server signs with another key than it did before: it was set up anew, "
    "or someone else is in its place",
    "fair.no_receipts": "unproven: the host gives no receipts for what you do",
    "fair.round_order": "WRONG: the host began round {round} where round {next} was next",
    "fair.seed_wrong": "WRONG: the seed of round {round} is not the one that the host was bound to",
    "fair.roll_order": "WRONG: roll number {n} came in round {round} where number {next} was next: "
    "a roll was left out or repeated",
    "fair.roll_wrong": "WRONG: roll {n} of round {round} is not the one that follows from the seed",
    "fair.shown_other": "WRONG: the dice shown as roll {n} of round {round} are not those of the record",
    "fair.shown_missing": "WRONG: dice were shown in round {round} that the record does not have",
    "fair.shown_unnumbered": "WRONG: dice were shown in round {round} that no roll of the record stands for",
    "fair.deck_order": "WRONG: the deck “{deck}” was shuffled out of order",
    "fair.card_order": "WRONG: a card of the deck “{deck}” was drawn out of order",
    "fair.card_wrong": "WRONG: card {index} of the deck “{deck}” is not the one that lay there when it was shuffled",
    "fair.link_wrong": "WRONG: the part of seat {seat} in round {round} is not the one that it was bound to",
    "fair.proof_wrong": "WRONG: the part of seat {seat} in round {round} is not signed by that seat's program",
    "fair.unknown_dice": "WRONG: the host says that it rolls by dice scheme {dice}, which nobody knows",
    "fair.holder_wrong": "WRONG: the host tells of seat {seat} what cannot be",
    "fair.tip_wrong": "WRONG: seat {seat} was bound to a chain that it may not have",
    "fair.call_wrong": "WRONG: the host called other seats to round {round} than those whose turn it was",
    "fair.opening_wrong": "WRONG: round {round} was not opened as it was called",
}
