"""English texts of the server itself: what went wrong, and what to do."""

from __future__ import annotations

from typing import Final

_TAKEN: Final = {
    "logins": ("connected {most} times", "Wait {wait}, then connect again."),
    "guests": ("brought {most} new guests", "Wait {wait}, or come back as somebody who was here before."),
    "names": ("kept {most} names", "Wait {wait}. You can play without keeping your name."),
    "openings": ("opened {most} tables", "Wait {wait}, or join a table of somebody else."),
    "starts": ("started {most} matches", "Wait {wait}, or join a match that is on."),
    "folds": ("opened {most} finished matches", "Wait {wait}, or save the replay and watch that."),
    "acts": ("acted {most} times", "Wait {wait}, then act again."),
    "questions": ("kept the rules busy for {most} s", "Wait {wait}, then ask again what can be done."),
    "talk": ("said {most} things", "Wait {wait}, then say it again."),
    "shows": ("asked for {most} whole pictures", "Wait {wait}, then try again."),
    "changes": ("changed {most} things", "Wait {wait}, then try again."),
    "lists": ("asked for the list of tables {most} times", "Wait {wait}. It comes by itself when it changes."),
    "replays": ("been sent {most} MB of replays", "Wait {wait}, then save it."),
    "proofs": ("asked for {most} proofs of dice", "Wait {wait}. The replay holds all of it, too."),
    "parts": ("sent {most} parts in dice", "Wait {wait}. The dice are drawn without you meanwhile."),
}
"""For each rate what was done too often, and what to do then."""
_HELD: Final = {
    "tables": ("opened {most} tables that are not finished", "Finish or leave one first, or join another table."),
    "matches": ("started {most} matches that are still on", "Finish or end one first, or join another table."),
    "seats": ("taken {most} seats at tables that are not finished", "Finish or leave one first, or watch instead."),
    "watchers": ("{most} connections that only watch", "Leave a table first, or save its replay when it is over."),
}
"""For each kind of held things what there is too much of, and what to do then."""
_SCOPES: Final = {
    "person": ("You have", "one person"),
    "address": ("Your network has", "one network"),
    "server": ("All people here together have", "this server"),
}


def _bounds() -> dict[str, str]:
    """Return a sentence for each bound: whose it is, how much that is, and what to do."""
    taken = {kind: (f"{done} in {{span}}", todo) for kind, (done, todo) in _TAKEN.items()}
    return {
        f"problem.bound/{kind}-{scope}": f"{who} {done}, the most for {whom}. {todo}"
        for kind, (done, todo) in (taken | _HELD).items()
        for scope, (who, whom) in _SCOPES.items()
    }


ENGLISH: Final[dict[str, str]] = {
    **_bounds(),
    "problem.frame/text": "This server takes binary messages only. Please update the program.",
    "problem.server/fault": "The server met a fault (id {error}). Nothing has changed; please try something else.",
    "problem.server/restart": "The server restarts. Nothing is lost; your program connects again by itself.",
    "problem.store/unavailable": "The server cannot store anything just now. Nothing has changed; try again soon.",
    "problem.match/steps-lost": (
        "The server's store broke down, and the last {steps} steps of this match are gone. It goes on from before them."
    ),
    "problem.match/may-lose": (
        "This server keeps the last second of play in memory only. If its store breaks down, that second is gone; you "
        "are told, and the match goes on from before it."
    ),
    "problem.session/over": "Your session has ended. Connect again.",
    "problem.session/renew": "Your session is renewed; the program connects again by itself.",
    "problem.table/code-expired": "This invite code has run out. Ask the owner of the table for a new one.",
    "problem.session/logged-out": "You have logged out. Only a kept name and its password lead back.",
    "problem.session/password-changed": "Your password was changed on another device. Sign in with the new one.",
    "problem.password/short": "A password has {least} characters at least. A few words make a good one.",
    "problem.password/long": "A password has {most} characters at most.",
    "problem.password/name": "Your name is no good password.",
    "problem.password/common": "That password is one of those that everybody tries first. Choose another one.",
    "problem.password/no-name": "Only a name of your own can be kept. Connect with another name first.",
    "problem.password/taken": "Somebody else keeps this name. Connect with another one first.",
    "problem.password/changed": "Your name or password was changed on another device meanwhile.",
    "problem.password/tries": "Passwords were changed too often. Wait a minute.",
    "problem.session/moved": "Your seat has passed to another device by its code. This connection is closed.",
    "problem.seat-code/no-seat": "You have no seat at a table. A seat code passes a seat on.",
    "problem.seat-code/unknown": "This seat code is not good (any more). Ask for a new one where you sit.",
    "problem.seat-code/tries": "Too many seat codes were tried. Wait a minute.",
    "problem.seat-code/seated": "You have a seat at that table already.",
    "problem.table/has-looked": "You have seen more of this match than its players may; you can only watch it.",
    "problem.watch/not-agreed": "Before the start, not every player agreed that spectators may see everything, late.",
    "problem.watch/not-allowed": "The owner of this table does not allow that to spectators.",
    "problem.watch/no-person": "No person sits there who could agree.",
    "problem.watch/not-asked": "That spectator does not ask to see your seat (any more).",
    "problem.watch/full": "So many have looked further into this match that nobody else can.",
    "problem.watch/has-sat": "Whoever plays or has played in this match sees the public part only.",
    "problem.table/which": "Say which table: give its invite code, or pick it from the list.",
    "problem.table/none": "You are not at a table. Open or join one first.",
    "problem.table/unknown": "There is no such table for you. It may be private or gone; ask for its invite code.",
    "problem.table/unknown-code": "No table has this invite code. Check its ten letters and digits.",
    "problem.table/code-tries": "Too many invite codes were tried. Wait a minute.",
    "problem.table/private": "This table is private. Enter its invite code.",
    "problem.table/removed": "The owner has removed you from this table.",
    "problem.list/none-here": "No army lists are brought to this scenario.",
    "problem.list/refused": "This list cannot be played. {faults}",
    "problem.list/points": "That list has {points} points; this table plays with {limit} at most.",
    "problem.list/missing": "No army list yet: {names}. Each player brings one.",
    "seat.brings": "{name}, {points} points",
    "problem.table/started": "The match has started; that can be changed before the start only.",
    "problem.table/finished": "The match is over.",
    "problem.table/not-owner": "Only the owner of the table may do that.",
    "problem.table/full": "All seats are taken. You can watch instead.",
    "problem.table/seat-taken": "That seat is taken. Remove who holds it first.",
    "problem.table/no-seat": "There is nobody in that seat.",
    "problem.table/not-a-bot": "That seat is not a bot's: its player chooses.",
    "problem.table/unknown-faction": "There is no such faction in this scenario.",
    "problem.table/faction-taken": "{name} plays that faction already. Choose another one.",
    "problem.table/unknown-bot": "There is no such bot. There are: {kinds}.",
    "problem.table/leave-instead": "To give up your own seat, leave the table.",
    "problem.table/too-many": "That scenario has {seats} seats only, and more people are at the table.",
    "problem.table/empty-seats": "Some seats are empty. Fill them with bots, or wait for players.",
    "problem.table/not-ready": "Not ready yet: {names}.",
    "problem.table/unknown-system": "The rules of this game are not installed on this server.",
    "problem.table/unknown-scenario": "There is no such scenario. Pick one from the list.",
    "problem.table/set-up": "This set-up cannot be played.",
    "problem.table/start-fault": "The rules met a fault at the start (id {error}). The table is open as before.",
    "problem.table/watchers-full": "No more spectators can be let in.",
    "problem.table/not-a-watcher": "That person plays; remove the seat instead.",
    "problem.table/no-bot-seat": "No bot's seat at this table can be taken. You can watch instead.",
    "problem.vote/no-match": "There is no match here that could be voted on.",
    "problem.vote/none": "There is no vote now.",
    "problem.vote/open": "One vote at a time: this one must be over first.",
    "problem.vote/not-yours": "Your vote does not count here: it is about your own seat.",
    "problem.vote/paused": "The match is not being played just now.",
    "problem.vote/not-paused": "The match is being played already.",
    "problem.vote/adjourned": "The match is adjourned. Vote to go on first.",
    "problem.vote/same-rules": "The match goes on already: there is nothing to vote on.",
    "problem.vote/rest": "Your last vote was lost. Ask again in {seconds} seconds.",
    "problem.vote/seat": "A bot can play for another person only.",
    "problem.vote/present": "{name} is there and plays. A bot can play for one who is away or lets their time run out.",
    "problem.match/comparing": "The rules on this server have changed. The match is being played again to see whether "
    "it comes out the same. Wait a moment.",
    "problem.match/other-rules": "The rules on this server have changed, and this match does not come out the same "
    "under them. Vote to play on under the new rules, or to end it.",
    "problem.match/parked": "This match cannot go on: its rules or its record do not fit this server. Tell the host.",
    "problem.questions/waiting": "{most} questions of yours wait for an answer, the most for one person. Wait for one.",
    "problem.match/unshown": "The course of this match cannot be shown here any more. Its replay may still be saved.",
    "problem.match/none": "No match is running at this table.",
    "problem.match/no-seat": "You are watching: only players may act.",
    "problem.talk/watching": "Only players can make offers, or write to one alone.",
    "problem.talk/nobody": "No other player holds that seat.",
    "problem.talk/bot": "A bot plays there. It listens to nobody.",
    "problem.talk/away": "{name} is not connected just now. Write to all, or wait.",
    "problem.talk/too-many": "You have {most} offers open already. Take one back first.",
    "problem.talk/no-offer": "That offer is not open (any more).",
    "problem.chat/empty": "There was nothing readable in that message.",
    "problem.entropy/late": "Your program's part in this round's dice came too late; the round goes on without it.",
    "problem.entropy/wrong": "Your program's part in this round's dice does not fit; the round goes on without it.",
    "problem.entropy/known": "This match has had your program's dice chain before. Your program draws a new one.",
    "problem.entropy/none": "The dice of this match take no parts from programs.",
    "problem.proof/none": "There is nothing yet that the dice of this table could be checked by.",
    "problem.replay/none": "This table has no replay yet. It comes with the end of the match.",
    "problem.replay/coming": "The replay is on its way: the server is still writing it. Ask again in a moment.",
    "problem.replay/dropped": "The replay of this match is no longer kept: this server keeps the newest ones only. Its "
    "result stays.",
    "problem.replay/busy": "A replay is on its way to you already.",
    "problem.replay/unreadable": "The replay file cannot be read on the server. Tell the host.",
    "refuse.stale": "The table has moved on since. Look again and choose anew.",
    "refuse.id/used": "Your program has mixed up two acts. This one was not done: do it again.",
    "refuse.busy": "The table is too busy. Try again in a moment.",
    "refuse.store/unavailable": "The server cannot store anything just now. Nothing has changed; try again soon.",
    "refuse.match/comparing": "The match is being played again under changed rules. Wait a moment.",
    "refuse.match/other-rules": "The rules have changed. Vote to play on under the new rules, or to end the match.",
    "refuse.match/parked": "This match cannot go on: its rules or its record do not fit this server. Tell the host.",
    "refuse.table/paused": "The match is paused. It goes on when most of the players want it to.",
    "result.ended": "Those who played ended the match by a vote.",
    "result.deserted": "Everybody had left: only bots were playing, and nobody watched.",
    "refuse.round/called": "The dice of a new round are being drawn. Try again in a moment.",
    "refuse.match/over": "The match is over.",
    "left.left": "You have left the table.",
    "left.removed": "The owner has removed you from the table.",
}
