"""Moves from halt to halt."""

from __future__ import annotations

from engine.core.bots.bot import run_inline
from engine.kit.interrupted_moves import walk


def walked(halts: list[int], *, barred: int = 10_000, hurt: int = -1) -> tuple[bool, list[tuple[str, int]]]:
    """Walk past these halts: nothing goes beyond `barred`, and what happens at `hurt` ends the move."""
    done: list[tuple[str, int]] = []

    def go(halt: int) -> bool:
        if ("meet", hurt) in done or halt >= barred:
            return False
        done.append(("go", halt))
        return True

    async def meet(halt: int) -> None:
        done.append(("meet", halt))

    return run_inline(walk(halts, go, meet)), done


def test_each_halt_is_met_once_in_the_order_of_the_way() -> None:
    reached, done = walked([700, 300, 700])
    assert reached
    assert done == [("go", 300), ("meet", 300), ("go", 700), ("meet", 700)]


def test_the_rest_is_given_up_where_it_is_no_longer_legal() -> None:
    assert walked([300, 700, 900], hurt=300) == (False, [("go", 300), ("meet", 300)])
    assert walked([300, 700], barred=700) == (False, [("go", 300), ("meet", 300)])
    assert walked([]) == (True, [])
