"""Count of a host's matches by the host itself, as its Welcome tells it. Nothing proves it: it is the host's claim."""

from __future__ import annotations

import msgspec


class HostClaim(msgspec.Struct, frozen=True, omit_defaults=True):
    """Matches `begun`, and how they ended: `ended` by their rules, `abandoned` by those who played or the host,
    `parked`: closed since they could not go on, `bots`: all seats had been left to bots. Those that are in none of the
    four still run. `given_up`: matches, running or not, in which the host gave an act up after a fault (Void).

    A number never falls while the host keeps its data."""

    begun: int = 0
    ended: int = 0
    abandoned: int = 0
    parked: int = 0
    bots: int = 0
    given_up: int = 0
