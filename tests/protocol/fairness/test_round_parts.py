"""Marks of rounds: whose choice their dice could have been, by the parts of the rounds up to them."""

from __future__ import annotations

import pytest

from protocol.fairness.round_parts import MarkState, Presence, RoundMark, RoundParts, mark_of

IN, MISSING, OUT, NONE = Presence.IN, Presence.MISSING, Presence.OUT, Presence.NONE
MINE, OTHERS = b"mine", b"others"


def parts(
    round: int,
    *presence: Presence,
    tips: tuple[bytes, ...] = (MINE, OTHERS, b"third"),
    since: tuple[int, ...] = (0, 0, 0),
    ended: tuple[int, ...] = (),
    voids: tuple[int, int] = (0, 0),
) -> RoundParts:
    """Make a round at a table of three. `voids`: before it, and in it."""
    counted = {seat: (tips[seat], since[seat]) for seat, found in enumerate(presence) if found is IN}
    return RoundParts(round, presence, b"", counted, ended, *voids)


def mark(*rounds: RoundParts, seat: int = 0) -> RoundMark:
    """Return the mark of the last of these rounds."""
    known = {0: RoundParts(0, (), b""), **{one.round: one for one in rounds}}
    return mark_of(known, rounds[-1].round if rounds else 0, seat, lambda tip: tip == MINE)


def test_yours_is_a_round_with_your_part_and_no_choice() -> None:
    assert mark(parts(1, IN, IN, NONE)) == RoundMark(MarkState.YOURS, 0, 0, (0, 1), ())
    # who sits out, or has no program, had none
    assert mark(parts(1, IN, OUT, Presence.BOT)).whose is MarkState.YOURS


@pytest.mark.parametrize(
    ("round", "k", "chosen"),
    [
        (parts(1, IN, MISSING, IN), 1, (1,)),
        (parts(1, IN, MISSING, MISSING), 2, (1, 2)),
        (parts(1, IN, OUT, IN, ended=(1,)), 1, (1,)),
        (parts(1, IN, OUT, MISSING, ended=(1, 2)), 3, (1, 2)),
        (parts(1, IN, NONE, NONE, voids=(0, 1)), 1, ()),
        (parts(1, IN, NONE, NONE, voids=(2, 3)), 5, ()),
    ],
)
def test_yours_but_counts_who_was_missing_whose_chain_ended_and_what_was_given_up(
    round: RoundParts, k: int, chosen: tuple[int, ...]
) -> None:
    found = mark(round)
    assert (found.whose, found.choices, found.chosen) == (MarkState.BUT, k, chosen)


def test_older_adds_up_all_choices_since_your_last_part() -> None:
    rounds = [
        parts(1, IN, IN, IN),
        parts(2, IN, MISSING, IN),
        parts(3, MISSING, OUT, IN),
        parts(4, OUT, IN, MISSING, voids=(0, 1)),
        parts(5, OUT, IN, OUT, voids=(1, 0)),
    ]
    assert [mark(*rounds[:n])[:3] for n in range(1, 6)] == [
        (MarkState.YOURS, 0, 0),
        (MarkState.BUT, 1, 0),
        (MarkState.OLDER, 2, 1),
        (MarkState.OLDER, 4, 2),
        (MarkState.OLDER, 5, 3),
    ]


def test_not_yours_where_you_never_had_a_part() -> None:
    assert mark() == RoundMark(MarkState.NOT)
    assert mark(parts(1, NONE, IN, IN)) == RoundMark(MarkState.NOT, seats=(1, 2), chosen=(1, 2))
    assert mark(parts(1, IN, IN, NONE), seat=-1) == RoundMark(MarkState.NOT, seats=(0, 1), chosen=(0, 1))


def test_not_yours_where_a_newer_chain_counts() -> None:
    rounds = [parts(1, IN, IN, IN), parts(2, MISSING, IN, IN), parts(3, OUT, IN, NONE)]
    assert mark(*rounds).whose is MarkState.OLDER
    for since, whose in ((0, MarkState.OLDER), (1, MarkState.NOT), (2, MarkState.NOT)):
        newer = [*rounds[:2], parts(3, OUT, IN, NONE, since=(0, since, 0))]
        assert mark(*newer).whose is whose
    # one that was called and gave nothing does not count
    assert mark(*rounds[:2], parts(3, OUT, MISSING, NONE, since=(0, 2, 0))).whose is MarkState.OLDER


def test_a_newer_chain_that_counted_once_counts_in_all_rounds_after_it_until_your_next_part() -> None:
    rounds = [
        parts(1, IN, IN, IN),
        parts(2, MISSING, IN, IN),
        parts(3, OUT, IN, IN, since=(0, 1, 0)),
        parts(4, NONE, MISSING, IN),
        parts(5, IN, OUT, IN),
    ]
    whose = [mark(*rounds[:n]).whose for n in range(2, 6)]
    assert whose == [MarkState.OLDER, MarkState.NOT, MarkState.NOT, MarkState.YOURS]


def test_another_program_in_your_seat_is_not_you() -> None:
    others = (b"not mine", OTHERS, b"third")
    assert mark(parts(1, IN, IN, IN, tips=others)).whose is MarkState.NOT
    rounds = [parts(1, IN, IN, IN), parts(2, OUT, IN, IN, ended=(0,))]
    assert mark(*rounds)[:3] == (MarkState.OLDER, 1, 1)
    assert mark(*rounds, parts(3, IN, IN, IN, tips=others, since=(1, 0, 0))).whose is MarkState.NOT


def test_voids_in_a_row_are_counted_back_to_a_round_without() -> None:
    assert parts(1, IN, voids=(0, 0)).voids_in_a_row() == 0
    assert parts(1, IN, voids=(4, 0)).voids_in_a_row() == 0
    assert parts(1, IN, voids=(0, 2)).voids_in_a_row() == 2
    assert parts(1, IN, voids=(3, 2)).voids_in_a_row() == 5
