"""The log folded: a line for an activation, opened for its acts, and these for the cues that they are made of."""

from __future__ import annotations

from collections.abc import Hashable

from client.model.table.folded_log import OpenEntries, folded, shown_lines
from client.model.table.view_model import LogLine

FEN, UNIT = "Fen Levy 5", "U.N.I.T. 6"


def act(number: int, words: str, group: str = FEN, seat: int = 1) -> list[LogLine]:
    """Return the lines of an act: a cue, and the sum."""
    cue = LogLine(f"cue {number}", "AC-1", seat, "dice", told=True, act=number, title=f"{group} act", group=group)
    return [cue, LogLine(f"{group} {words}", seat=seat, kind="act", told=True, act=number, group=group)]


SHOT = "shot U.N.I.T. 6: 31 damage, 4 killed"
CARD = LogLine("Fen Levy are on: 2 actions.", seat=1, kind="card")
LOG = [CARD, *act(1, "moved"), *act(2, SHOT), *act(3, "moved", UNIT, 2), *act(4, "moved"), CARD, *act(5, "moved")]


def texts(*opened: Hashable) -> list[tuple[int, str]]:
    return [(depth, line.text) for _, line, depth in shown_lines(LOG, set(opened))][::-1]


def test_an_activation_is_one_line_with_what_its_group_did() -> None:
    assert texts() == [
        (1, CARD.text),
        (1, f"{FEN}: moved; {SHOT}"),
        (1, f"{UNIT} moved"),
        (1, f"{FEN} moved"),
        (1, CARD.text),
        (1, f"{FEN} moved"),
    ]


def test_it_opens_for_its_acts_and_these_for_their_cues() -> None:
    entry = list(folded(LOG))[-2]
    assert texts(entry.key)[1:5] == [
        (1, f"{FEN}: moved; {SHOT}"),
        (2, f"{FEN} moved"),
        (2, f"{FEN} {SHOT}"),
        (1, f"{UNIT} moved"),
    ]
    shot = entry.acts[1].key
    assert texts(entry.key, shot)[3:5] == [(2, f"{FEN} {SHOT}"), (3, "cue 2")]
    assert texts(shot) == texts()


def test_an_activation_of_one_act_opens_for_its_cues() -> None:
    entry = list(folded(LOG))[-3]
    assert not entry.acts
    assert (2, "cue 3") in texts(entry.key)


def test_the_same_said_again_is_counted() -> None:
    (entry,) = folded([*act(1, "moved"), *act(2, "moved"), *act(3, "charged")])
    assert entry.line.text == f"{FEN}: moved (2 times); charged"


def test_what_nobody_does_is_no_activation() -> None:
    event = [*act(1, "falls", "", -1), *act(2, "falls", "", -1)]
    assert [entry.key for entry in folded(event)] == [("act", 2), ("act", 1)]


def test_what_is_opened_is_folded_again() -> None:
    opened = OpenEntries()
    opened.toggle(("act", 1))
    opened.toggle(("act", 2))
    opened.toggle(("act", 1))
    assert opened.keys == {("act", 2)}
