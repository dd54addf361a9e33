"""English texts of the core: refusals, undo, what the table waits for, kinds of bots. Systems add their own."""

from __future__ import annotations

from typing import Final

ENGLISH: Final[dict[str, str]] = {
    "refuse.turn/not-yours": "It is not your turn. The table waits for someone else.",
    "refuse.turn/wait": "A question is open. Wait until it is answered.",
    "refuse.start/already": "The match has started already.",
    "refuse.answer/not-asked": "That question is closed, or it is not asked of you.",
    "refuse.answer/sealed": "Your answer is kept until everyone has answered.",
    "refuse.answer/given": "You have answered this already. Your answer stands.",
    "refuse.reply/unknown-choice": "There is no choice named {choice} now. Look at the prompt again.",
    "refuse.reply/unknown-field": "The choice has no field named {field}.",
    "refuse.reply/missing-field": "The field {field} is still empty.",
    "refuse.reply/bad-field": "The value for {field} is not one that can be chosen.",
    "refuse.undo/nothing": "There is nothing to take back.",
    "refuse.undo/started": "The match has only begun: there is nothing to take back.",
    "refuse.undo/dice": "Dice were rolled: they cannot be taken back.",
    "refuse.undo/cards": "Cards were drawn: they cannot be taken back.",
    "refuse.undo/revealed": "Something hidden came to light: that cannot be taken back.",
    "refuse.undo/another-acted": "Someone else has acted since.",
    "refuse.concede/stays": "Nothing of this seat can leave the table.",
    "refuse.undo/expired": "Your time ran out on that act: it stands.",
    "refuse.undo/waiting": "A question is open. Undo works again when it is answered.",
    "refuse.undo/voided": "The last act was given up because of a fault. There is nothing to take back.",
    "refuse.void/nothing-waits": "No procedure waits.",
    "refuse.rules/fault": "The rules met a fault (id {error}). Nothing has changed; please do something else.",
    "bot.random": "random",
    "bot.level1": "simple",
    "bot.level2": "steady",
    "bot.level3": "cunning",
    "aside.settings": "Stops and standing orders",
    "aside.hint": "Where you want to be asked, and what counts where you are not. Nobody else sees it.",
    "aside.stops": "Stop and wait for me",
    "aside.orders": "Without me",
    "aside.none": "nothing",
    "prompt.watch": "Others are to act.",
    "waits.turn": "to act",
    "log.undone": "{seat} takes the last act back.",
    "log.voided": "A fault in the rules: the act was given up and everything put back (id {error}).",
    "log.expired": "Time ran out: the default was taken for {seat}.",
}
