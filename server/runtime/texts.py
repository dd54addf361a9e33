"""English texts of the server itself: what went wrong, and what to do."""

from __future__ import annotations

from typing import Final

from protocol.words import read_toml, words_of


def _bounds() -> dict[str, str]:
    """Return a sentence for each bound: whose it is, how much that is, and what to do."""
    words = read_toml(__package__, "bounds")
    taken = {kind: (f"{done} in {{span}}", todo) for kind, (done, todo) in words["taken"].items()}
    return {
        f"problem.bound/{kind}-{scope}": f"{who} {done}, the most for {whom}. {todo}"
        for kind, (done, todo) in (taken | words["held"]).items()
        for scope, (who, whom) in words["scopes"].items()
    }


ENGLISH: Final = _bounds() | words_of(__package__, "english")
