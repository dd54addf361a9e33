"""English texts of the server itself: what went wrong, and what to do."""

from __future__ import annotations

from typing import Final

from protocol.words import words_of

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


ENGLISH: Final = _bounds() | words_of(__package__, "english")
