"""Words about a host: what this program has seen of it, and what it claims."""

from __future__ import annotations

from typing import Final

ENGLISH: Final[dict[str, str]] = {
    "host.none": "You have seen no match of this host yet.",
    "host.seen": "Seen of this host: {begun|one match|{begun} matches}, {ended} played to the end",
    "host.seen.abandoned": "{n} abandoned",
    "host.seen.bots": "{n} left to bots",
    "host.seen.unseen": "{n} not seen to the end",
    "host.seen.given_up": "{n} with an act given up",
    "host.seen.unproven": "{n} unproven",
    "host.seen.wrong": "{n} WRONG",
    "host.claims": "It claims {begun|one match|{begun} matches}, {ended} played to the end.",
    "host.fallen": "This host's claim has fallen.",
    "host.tip.seen": "Your program has counted this itself since {since}, for host key {host}. A match counts once, "
    "however often you reconnect, also one that you only watch.",
    "host.tip.means": "Abandoned: ended without a result. Given up: after a fault the host took an act back, and its "
    "dice stay spent. Unproven, WRONG: as the check of the dice left it.",
    "host.tip.no_claim": "The host says nothing about its matches.",
    "host.tip.claim": "The host claims: {begun|one match|{begun} matches} begun, {ended} played to the end, "
    "{abandoned} abandoned, {parked} closed after a fault, {bots} left to bots, {given_up} with an act given up. "
    "Nothing proves that.",
    "host.tip.fallen": "Its claim has fallen: {what} are {now} now, and were {then} once.",
    "host.tip.fallen.means": "The host has lost records, or leaves matches out.",
    "host.field.begun": "matches begun",
    "host.field.ended": "matches played to the end",
    "host.field.abandoned": "matches abandoned",
    "host.field.parked": "matches closed after a fault",
    "host.field.bots": "matches left to bots",
    "host.field.given_up": "matches with an act given up",
}
