"""The words of the live check. They are the program's own: no catalogue of a server may replace them."""

from __future__ import annotations

from typing import Final

PREFIX: Final = "fair."

ENGLISH: Final[dict[str, str]] = {
    "fair.asking": "asking the host for the proof of its dice",
    "fair.running": "round {round} is running",
    "fair.checked": "dice of round {round} checked",
    "fair.page.title": "Are the dice fair?",
    "fair.page.close": "Back to the table",
    "fair.page.round": "Round {round}: {rolls|one roll|{rolls} rolls} ({shown} seen here), "
    "{cards|one card|{cards} cards}",
    "fair.page.words": "Read a round's word to each other, by voice and not in this chat: whoever has the same word "
    "was told the same history, dice and cards up to the end of that round.",
    "fair.page.means": "Checked means: the host was bound to these dice before the first roll, and did not choose, "
    "repeat or leave out any. It does not mean that the host cannot look at hidden cards and tell a friend.",
    "fair.host": "Host key {key}, as your profile knows it for this address. Its receipts are kept there too.",
    "fair.host.new": "Host key {key} is NOT the one that this server had before ({before}). Ask the host by another "
    "way whether he has set it up anew.",
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
    "fair.after.broken": "unproven: the record of the match could not be checked: its check broke off",
    "fair.after.wrong": "WRONG: {why}",
    "fair.after.other": "WRONG: the record of the match is signed with another key than the receipts that you were "
    "given in it",
    "fair.log": "Dice of round {round} checked: {rolls|one roll|{rolls} rolls}, {cards|one card|{cards} cards}. "
    "Word: {word}",
    "fair.log.before": "{rounds|One round|{rounds} rounds} before you came: dice checked from the host's record.",
    "fair.no_proof": "unproven: the host gives no proof of its dice",
    "fair.withheld": "unproven: the host has not opened the seed of round {round}",
    "fair.left_out": "unproven: the host left your program's part out of round {round}, although it was given",
    "fair.shown_unproven": "unproven: dice were shown in round {round} of which the host has given no proof",
    "fair.too_much": "unproven: the host tells more than can be checked here",
    "fair.shorter": "WRONG: the host takes back {facts} facts that it had told: there are two histories",
    "fair.no_beginning": "WRONG: the host tells another beginning of the match",
    "fair.other_match": "WRONG: the host proves another match than this one",
    "fair.not_signed": "WRONG: the host's signature of the record does not fit",
    "fair.two_heads": "WRONG: the host has signed two histories up to step {version}; your receipts prove it",
    "fair.two_stories": "WRONG: the host tells this match otherwise than it did before",
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
    "fair.deck_order": "WRONG: the deck “{deck}” was shuffled out of order",
    "fair.card_order": "WRONG: a card of the deck “{deck}” was drawn out of order",
    "fair.card_wrong": "WRONG: card {index} of the deck “{deck}” is not the one that lay there when it was shuffled",
    "fair.link_wrong": "WRONG: the part of seat {seat} in round {round} is not the one that it was bound to",
    "fair.link_replaced": "WRONG: the host used another part in round {round} than your program gave",
    "fair.tip_late": "WRONG: seat {seat} was bound to its part of round {round} only after yours was open",
}
