"""Content files that are broken in one way each, with the complaint that each must meet."""

from __future__ import annotations

from typing import Final, NamedTuple

from tests.support.systems.own_content import GOOD


class Broken(NamedTuple):
    """A file with one passage changed, and the expected complaint."""

    file: str
    old: str
    new: str
    said: str


RATS, FORD, CROSSING, EELS = GOOD
TABLE: Final = (
    # form
    Broken(RATS, "size = 4", "size = = 4", "4: Invalid value"),
    Broken(RATS, 'id = "rats"', 'id = "rats', "2: Illegal character '\\n'"),
    Broken(RATS, "size = 4", "size = 4\nsize = 5", "5: Cannot overwrite a value"),
    Broken(RATS, "[faction.kill]", "[faction.kill", "8: Expected ']' at the end of a table declaration"),
    Broken(FORD, "[48, 48]", "[" * 12 + "48" + "]" * 12, "1: more than 8 tables or lists inside one another"),
    Broken(RATS, "size = 4", "a.b.c.d.e.f.g.h.i = 4", "4: a key of more than 8 parts"),
    # keys and values
    Broken(RATS, "traits", "trait", "6: faction.trait: no such key is known here"),
    Broken(RATS, "building = 10\n", "", "8: faction.kill.building: this key is missing"),
    Broken(RATS, "dice = 1", 'dice = "one"', "16: faction.weapon.0.dice: Input should be a valid integer"),
    Broken(RATS, "dice = 1", "dice = 99", "16: faction.weapon.0.dice: Input should be less than or equal to 60"),
    Broken(RATS, "move = 10", "move = 10.125", "5: faction.move: a length of 10.125 has more than two decimals"),
    Broken(RATS, "move = 10", "move = nan", "5: faction.move: Input should be a valid integer"),
    Broken(
        RATS,
        'id = "rats"',
        'id = "Marsh Rats"',
        "2: faction.id: String should match pattern '^[a-z][a-z0-9_]{0,39}$'",
    ),
    Broken(
        RATS,
        '"Marsh Rats"',
        '"Marsh\\u202eRats"',
        "3: faction.name: holds characters that cannot be shown in a line, or spaces too many",
    ),
    Broken(RATS, 'name = "Dive"', f'name = "{"D" * 81}"', "29: faction.special.0.name: String should have at most 80 "),
    Broken(
        RATS,
        "move = 10",
        'move = 10\nglyph = "hoood"',
        "6: faction.glyph: no glyph is called hoood; did you mean hood?",
    ),
    Broken(
        FORD, "[48, 48]", '[48, 48]\nground = "gras"', "4: map.ground: no ground is called gras; did you mean grass?"
    ),
    # what a faction names
    Broken(RATS, '"linked_fire"', '"flying_pigs"', "6: faction.traits.0: no trait is called flying_pigs"),
    Broken(RATS, 'weapons = ["sling"]', 'weapons = ["bow"]', "21: faction.figure.0.weapons: no weapon has the id bow"),
    Broken(RATS, '"rat", "rat"]', '"rat", "cat"]', "25: faction.squad.0.figures: no figure has the id cat"),
    Broken(RATS, '["rat", ', '["rat", "rat", ', "25: faction.squad.0.figures: a group of 5 is larger than its 4"),
    Broken(RATS, "count = 3", "count = 20", "23: faction.squad: a force of 80 figures: 60 at most"),
    Broken(RATS, '"burrow"', '"levitate"', "30: faction.special.0.effect: levitate is none of burrow, "),
    Broken(RATS, 'id = "rats"', 'id = "unit"', "2: faction.id: unit is defined in faction_1_unit.toml too"),
    # maps
    Broken(FORD, '"building"', '"castle"', "7: map.feature.0.kind: no terrain has the id castle"),
    Broken(FORD, "[20, 20, 6, 6]", "[44, 20, 6, 6]", "9: map.feature.0.box: reaches beyond the table"),
    Broken(FORD, "[[23, 20]]", "[[23, 21]]", "10: map.feature.0.doors: a door is not on the outline of its building"),
    Broken(FORD, "box = [0, 20, 6, 8]\n", "", "12: map.zone.0: give the place in one way: outline, box or patch"),
    # events
    Broken(EELS, '"weather"', '"whether"', "6: event.eels.effect.0.kind: whether is none of "),
    Broken(EELS, "move = 50", 'terrain = ["sea"]', "7: event.eels.effect.0.terrain: no terrain has the id sea"),
    Broken(EELS, "move = 50", "move = 5", "7: event.eels.effect.0.move: Input should be greater than or equal to 10"),
    Broken(
        EELS,
        "[event.eels]",
        '[event.fog]\nname = "Fog"\ntext = "Fog."\neffect = [{ kind = "lift" }]\n\n[event.eels]',
        "1: event.fog: fog is ",
    ),
    # scenarios
    Broken(CROSSING, '"eels"', '"eels", "herrings"', "7: scenario.events: no event has the id herrings"),
    Broken(CROSSING, 'map = "ford"', 'map = "moor"', "5: scenario.map: no map has the id moor"),
    Broken(CROSSING, 'map = "ford"\n', "", "1: scenario: give the table in one way: a size of its own, or a map"),
    Broken(
        CROSSING,
        "[2, 38, 20, 8]",
        "[2, 44, 20, 8]",
        "31: scenario.role.1.start: the start zone reaches beyond the table",
    ),
    Broken(
        CROSSING,
        '"hut_up"\nkind = "hold"\nfeature = "hut"',
        '"hut_up"\nkind = "hold"\nfeature = "inn"',
        "26: scenario.role.0.condition.0.feature: the scenario has no feature inn",
    ),
    Broken(
        CROSSING,
        "[2, 38, 20, 8]",
        "[10, 6, 20, 8]",
        "31: scenario.role.1.start: the start zone lies over that of role 0",
    ),
    Broken(
        CROSSING,
        '"hut_down"\nkind = "hold"\nfeature = "hut"',
        '"hut_down"\nkind = "outlive"\nseat = 1',
        "37: scenario.role.1.condition.0.seat: a seat cannot be its own rival",
    ),
    Broken(CROSSING, "win = 1", "win = 9", "32: scenario.role.1.win: only 1 points can be had"),
    Broken(CROSSING, "secrets = 1", "secrets = 2", "39: scenario.secret: there are fewer secret conditions than "),
    Broken(CROSSING, 'special = "search"', 'special = "sing"', "42: scenario.secret.0.special: the scenario has no "),
    Broken(CROSSING, '"hut_down"\nkind = "hold"', '"hut_down"\nkind = "hug"', "36: scenario.role.1.condition.0.kind: "),
    # what comes later, and what hunts
    Broken(
        CROSSING, "win = 1\n", "win = 1\nreserve = [{ row = 1 }]\n", "33: scenario.role.1.reserve.0.row: Input should "
    ),
    Broken(
        CROSSING,
        "win = 1\n",
        "win = 1\nreserve = [{ row = 3, start = [40, 40, 9, 9] }]\n",
        "33: scenario.role.1.reserve.0.start: the place where they come on reaches beyond the table",
    ),
    Broken(
        EELS,
        'kind = "weather"\nmove = 50',
        'kind = "monster"\ndice = 6\nradius = 2\nbase = 2',
        "5: event.eels.effect.0.kill: a monster needs a kill number and a base",
    ),
    Broken(
        EELS,
        'kind = "weather"\nmove = 50',
        'kind = "monster"\ndice = 6\nradius = 1\nbase = 2\nkill = 9',
        "8: event.eels.effect.0.radius: a monster reaches farther than half an inch beyond its base",
    ),
)
