"""A small content folder of a user's own: a faction, a map and a scenario on it, without faults."""

from __future__ import annotations

from typing import Final

FACTION: Final = """\
[faction]
id = "rats"
name = "Marsh Rats"
size = 4
move = 10
traits = ["linked_fire"]

[faction.kill]
open = 5
cover = 8
building = 10

[[faction.weapon]]
id = "sling"
name = "sling"
dice = 1

[[faction.figure]]
id = "rat"
name = "rat"
weapons = ["sling"]

[[faction.squad]]
count = 3
figures = ["rat", "rat", "rat", "rat"]

[[faction.special]]
id = "dive"
name = "Dive"
effect = "burrow"
hint = "The group goes under."
"""

MAP: Final = """\
[map]
id = "ford"
size = [48, 48]

[[map.feature]]
id = "hut"
kind = "building"
name = "the hut"
box = [20, 20, 6, 6]
doors = [[23, 20]]

[[map.zone]]
id = "bank"
name = "the bank"
box = [0, 20, 6, 8]
"""

SCENARIO: Final = """\
[scenario]
id = "crossing"
name = "The crossing"
about = "Two want the hut."
map = "ford"
reshuffles = 1
events = ["eels"]

[[scenario.special]]
id = "search"
name = "Search the hut"
hint = "A 6 finds it."
effect = "search"
roll = true
feature = "hut"

[[scenario.role]]
name = "Upstream"
start = [2, 2, 20, 8]
win = 2
secrets = 1

[[scenario.role.condition]]
id = "hut_up"
kind = "hold"
feature = "hut"
points = 2

[[scenario.role]]
name = "Downstream"
start = [2, 38, 20, 8]
win = 1

[[scenario.role.condition]]
id = "hut_down"
kind = "hold"
feature = "hut"

[[scenario.secret]]
id = "found"
kind = "done"
special = "search"
"""

EVENTS: Final = """\
[event.eels]
name = "The eels run"
text = "Everybody who stands in a river wades at half speed."

[[event.eels.effect]]
kind = "weather"
move = 50
"""

GOOD: Final = {"own/rats.toml": FACTION, "own/ford.toml": MAP, "own/crossing.toml": SCENARIO, "own/events.toml": EVENTS}
