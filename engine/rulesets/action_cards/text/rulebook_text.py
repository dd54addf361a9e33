"""Text of the rulebook in English, its only source: docs/rulebook is made of it."""

from __future__ import annotations

from typing import Final

from engine.core.view.rulebook import BookSection, Paragraph

P = Paragraph
SECTIONS: Final[tuple[BookSection, ...]] = (
    BookSection(
        "aim",
        "What it is about",
        (
            P(
                "Two to six players meet on one table. Each leads a faction of a few groups, and each wants "
                "something else: a building, an errand, somebody's downfall, or simply to be alive when it ends. "
                "What you want is on your sheet, partly open, partly known to you alone. Several can have what "
                "they want, so an evening is as much talk as shooting.",
                ("AC-SCEN-01", "AC-SETUP-01"),
            ),
            P(
                "Only two lengths matter: your faction's Move, which is 8 inches unless its sheet says otherwise, "
                "and the circle of a blast, 6 inches across. Nothing else is ever measured, and no gun has a "
                "range.",
                ("AC-SETUP-02",),
            ),
        ),
    ),
    BookSection(
        "cards",
        "The row of cards",
        (
            P(
                "Every faction puts its cards into one deck: as a rule five Singles, three Doubles and a Triple. "
                "Special Events join them, one for each faction and four at most. At the start of a turn as many "
                "cards as there are factions, but at least four, are laid open in a row. Everybody sees what is "
                "coming, and in which order. Some factions and scenarios have other mixes; they stand on the "
                "sheets.",
                ("AC-DECK-01", "AC-DECK-02"),
            ),
            P(
                "When the deck cannot fill a row, the cards that were played are shuffled into a new one. A "
                "scenario says how often that happens; at the last time the short row is still played, and then "
                "it is over.",
                ("AC-DECK-03",),
            ),
            P(
                "Your card gives you actions: one, two or three. Spend them on one group or share them out, in "
                "any order you like. An action is a move, a shot, or something special. You may stop early; what "
                "is left is lost.",
                ("AC-ACT-01",),
            ),
            P(
                "A faction with nobody on the table, in a vehicle or on the way is out. Its cards leave the deck, "
                "and one that already lies in the row passes. What it has achieved by then counts.",
                ("AC-ACT-02",),
            ),
        ),
        ("end",),
        ("row", "A row of five: Iron Levy is on, with two actions left. After it an event, and then three others."),
    ),
    BookSection(
        "move",
        "Moving",
        (
            P(
                "Pick one figure of a group as its lead. It goes straight ahead, in any direction, as far as your "
                "Move or less. The others are then set down around it, each within 2 inches (3 for groups of more "
                "than eight), none farther along than the lead itself. The program proposes places; drag whom you "
                "want elsewhere. Next time another figure may lead, so a wide group reaches far.",
                ("AC-MOVE-01",),
            ),
            P(
                "You may pass your own people, never an enemy. Coming close enough to an enemy that the bases "
                "touch is a charge: see Close combat.",
                ("AC-MOVE-01", "AC-HTH-01"),
            ),
            P(
                "Going into any piece of terrain ends the move, and so does getting across a wall or a fence. "
                "When you leave a wood, a ruin or the like, you measure from its edge, wherever in it you stood; "
                "from a building or a vehicle you leave by a door. So a fresh move begins at the edge: terrain "
                "costs time, not ground.",
                ("AC-MOVE-02",),
            ),
        ),
        ("move",),
        ("move", "The lead goes its 8 inches; the three others gather round it."),
    ),
    BookSection(
        "vehicles",
        "Vehicles",
        (
            P(
                "A ground vehicle is driven: straight ahead where it looks, up to its own Move, and then turned "
                "to look wherever you like. It may also turn on the spot. Roads and open ground suit every wheel; "
                "off-road vehicles also manage scrub and rubble. Nothing else, unless the scenario says so. It "
                "stops an inch short of whatever stands in its way, people included.",
                ("AC-MOVE-03",),
            ),
            P(
                "Helicopters and their like need one action to rise, one to fly to any place at all, and one to "
                "land, on open ground with nobody near. In the air they touch nobody and hold nothing, and can be "
                "shot at as if they stood in the open.",
                ("AC-MOVE-04",),
            ),
            P(
                "A vehicle with seats carries your own groups, whole ones only. A group gets in by a move that "
                "ends at one of its doors, and out by a move that begins there; nobody acts on board, and nobody "
                "gets out in the air. If the vehicle is destroyed, roll a die for everybody in it: on 1 or 2 he "
                "does not make it. In the air nobody does.",
                ("AC-MOVE-02",),
            ),
            P(
                "Whoever stands behind a vehicle is in cover. A vehicle has kill numbers of its own, on its card. On "
                "the ground it can be stormed: a lead that touches its hull locks it in close combat. Its friends on "
                "foot in the fight fall before it does. If it is not destroyed it stays, and those on foot go back.",
                ("AC-TERR-01", "AC-HTH-01"),
            ),
        ),
        ("drive", "take_off", "fly", "land", "embark", "disembark"),
        ("vehicle", "Straight ahead, then a turn. The circle is a blast: all four under it are in trouble."),
    ),
    BookSection(
        "shoot",
        "Shooting",
        (
            P(
                "A group shoots at one enemy group if any of its figures sees any of theirs, however far away. "
                "Sight runs from the middle of a base to the middle of another. Woods, rocks, buildings, walls "
                "and wooden fences stop it; so does any third group as a whole, gaps and all. A figure in a wood "
                "or a house sees out and can be seen, and one that touches a wall looks over it.",
                ("AC-SHOOT-01",),
            ),
            P(
                "Roll all the dice of the group's weapons and add them up. Divide by the target's kill number for "
                "where it stands: in the open, in cover, in hard cover. So many figures fall; the rest of the "
                "points are lost. A squad with eight dice that rolls 29 against armour of 24 removes one. Against "
                "people in the open, at 6 apiece, it would have been four.",
                ("AC-SHOOT-02",),
            ),
            P(
                "The owner of the target says which figures are taken away, at once. Time to choose runs out like "
                "any other: then the ones with the fewest dice go.",
                ("AC-SHOOT-03",),
            ),
            P(
                "Some factions link their fire: two or three shots from one card, of the same group or of "
                "several, all at one target, are rolled as one heap. That is how small guns get through thick "
                "skins.",
                ("AC-SHOOT-04",),
            ),
        ),
        ("shoot", "linked"),
        ("sight", "A sees B past the wood, but not C: the group between them is in the way."),
    ),
    BookSection(
        "cover",
        "Cover",
        (
            P(
                "Scrub, rubble, a wall, a fence of wood, a vehicle in front of you: cover. Trees, rocks, a "
                "building: hard cover. A river and a fence of wire are no better than open ground. A group has "
                "the cover of a place while more than half of it is there. A wall or fence helps it when every "
                "line of fire crosses within an inch of it. Where several apply, the best one counts.",
                ("AC-TERR-01",),
            ),
        ),
        (),
        (
            "cover",
            "From left to right: open ground, cover in the scrub, cover behind the wall, hard cover in the house.",
        ),
    ),
    BookSection(
        "blast",
        "Blast weapons",
        (
            P(
                "Mortars and the like are aimed at a place that one of the group sees. Lay the circle there and "
                "roll once. Every group that it touches, your own too, takes the whole total against its own kill "
                "number, but loses no more figures than lie under the circle. It may not touch a fight that your "
                "own people are in.",
                ("AC-SETUP-02", "AC-OPEN-01"),
            ),
            P(
                "A gun with a crew shares one base with it and fires while enough of the crew are left.",
                ("AC-SETUP-01",),
            ),
        ),
        ("blast",),
    ),
    BookSection(
        "combat",
        "Close combat",
        (
            P(
                "When a lead touches an enemy, both groups are locked, and so is everybody else whom it touches. "
                "There are no allies here: every other faction counts. At a wall an inch between the bases is "
                "enough, and whoever touches the edge of a wood or a house touches those who hold it. A locked "
                "group can do nothing but shoot into its own fight.",
                ("AC-HTH-01",),
            ),
            P(
                "The fight is settled when the next Double or Triple of the row comes up, whosever it is, after "
                "that card's actions. If a Double or Triple began it, it is settled before the next card. So a "
                "charge on a Single leaves the others time to come and help. What is still open after a row for which "
                "the deck was shuffled anew, or when the game ends, is settled then.",
                ("AC-HTH-02",),
            ),
            P(
                "Until then anybody may join who can reach it. A faction that is not in it may shoot into it: it "
                "names one side, the even dice go against that one, the odd dice are dealt out among all the "
                "others. Whoever has people in the fight keeps out of it with his other groups.",
                ("AC-HTH-03",),
            ),
            P(
                "Then all strike at once, with the dice for close combat that their sheets give; the fallen "
                "strike too. Everybody counts as in the open but the side that held a place before the first "
                "touch: it has the place's cover, while more than half of it is there. With three factions or "
                "more each secretly names its victim, and odd dice stray as above.",
                ("AC-HTH-04",),
            ),
            P(
                "One side left: it forms up again and may take the ground it fought for. Several left: if "
                "somebody held a place, he stays and the others fall back a full Move; if nobody did, all go. "
                "They go the way they came, or straight away from those they fought. Whoever can go nowhere at all is "
                "lost.",
                ("AC-HTH-05",),
            ),
        ),
        (),
        ("combat", "A charge over a wall: those behind it held it first, and have its cover."),
    ),
    BookSection(
        "special",
        "Special actions, and new ideas",
        (
            P(
                "Scenarios have errands: search this, start that. Factions have tricks: digging in, leaping, "
                "going underground. Each is one action of one group. Where it needs an action roll, every figure "
                "that helps rolls a die, and a single 6 does it.",
                ("AC-SPEC-01",),
            ),
            P(
                "If you have an idea that no rule knows, say it in words, and what you wish to come of it. The "
                "others have twenty seconds to vote. More yes than no allows it, as it is or on an action roll; "
                "then it costs an action, whatever the dice say. Refused, it costs nothing. One idea a card.",
                ("AC-SPEC-02",),
            ),
        ),
        ("special", "propose"),
    ),
    BookSection(
        "events",
        "Special Events",
        (
            P(
                "An event happens when its turn in the row comes: fog that shortens sight, late friends, a roof "
                "that falls in, something with teeth that belongs to nobody, a cease-fire on offer. Which ones "
                "lie in wait, and whether they lie open or face down, is the scenario's business. The card says "
                "all there is to know when it is turned.",
                ("AC-OPEN-01", "AC-DECK-01"),
            ),
            P(
                "What has teeth goes for the nearest figure after every row and bites all it reaches. Any group that "
                "sees it may shoot at it, in the open as it always is; its number is for a wound, and when it has "
                "taken all its wounds it falls, and counts as a figure that you removed.",
                ("AC-OPEN-01", "AC-SHOOT-02"),
            ),
            P(
                "Where an event leaves to chance whom or what it meets, those who are out of the game say it instead: "
                "they have ten seconds, most votes count, and a lot decides where they say nothing or are not there.",
                ("AC-OPEN-01", "AC-ACT-02"),
            ),
            P(
                "In scenarios for five and six, and in some others, everybody has friends who are late; so have the "
                "smallest factions everywhere. They come on at the place that bears their "
                "name, when the cards of the row that it tells are laid open, or later, when there is room for them.",
                ("AC-OPEN-01", "AC-SCEN-01"),
            ),
        ),
        ("hunt",),
    ),
    BookSection(
        "factions",
        "Factions",
        (
            P(
                "A faction's sheet tells how large its groups are, how far they move, what it takes to remove a "
                "figure in each kind of cover, how many dice each weapon rolls, and what it alone can do. "
                "Pointing at a group shows its sheet. Read your own before the first card, and the neighbour's "
                "before the first shot.",
                ("AC-FACT-01", "AC-FACT-02"),
            ),
        ),
    ),
    BookSection(
        "winning",
        "Winning",
        (
            P(
                "Every goal is worth points, and your role says how many of them win. Holding a place, reaching "
                "one and being alive are judged at the very end; figures removed and errands done count from then "
                "on. Somebody holds a place if he is in it and nobody else is. Secret goals are opened when all "
                "is over, and then everyone who has his points has won, alone or together with others.",
                ("AC-SCEN-01",),
            ),
            P(
                "So make offers. A truce, a place left free, a common enemy: words bind nobody, and no rule keeps "
                "your partner from shooting; only a cease-fire that a Special Event has brought does. The table "
                "talk (F11) is for that, before all ears or between two.",
                ("AC-SCEN-01",),
            ),
        ),
    ),
)
