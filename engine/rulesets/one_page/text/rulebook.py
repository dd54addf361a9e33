"""The English rulebook, the only home of its words, and its entries in the catalogue."""

from __future__ import annotations

from typing import Final

from engine.core.view.rulebook import BookSection, Paragraph, entries
from engine.rulesets.one_page.text.rulebook_pictures import PICTURES

SECTIONS: Final[tuple[BookSection, ...]] = (
    BookSection(
        "aim",
        "What it is about",
        (
            Paragraph(
                "Two armies, six rounds, a table of 96 x 72 inches. When the last round is over each player counts the "
                "points of all enemy units that are destroyed or Pinned. More points win.",
                ("OP-SETUP-04", "OP-GEN-01"),
            ),
            Paragraph(
                "Units have one leader, who falls last and through whose eyes they see, and one Quality. A Quality "
                "test is a die that shows it or more: it serves for hitting, for blocking and for nerve.",
                ("OP-GEN-02", "OP-GEN-03", "OP-UNIT-01"),
            ),
            Paragraph(
                "You bring a list of 3000 or 6000 points from one army page: three Heroes at most, and eight Monsters, "
                "Walkers and Vehicles. Prices follow from a formula that holds for everybody.",
                (
                    "OP-SETUP-01",
                    "OP-OPEN-01",
                    "OP-OPEN-02",
                    "OP-OPEN-03",
                    "OP-OPEN-04",
                    "OP-OPEN-05",
                    *(f"OP-OPEN-{number:02}" for number in (*range(6, 14), 16)),
                ),
            ),
        ),
    ),
    BookSection(
        "deploy",
        "Deploying",
        (
            Paragraph(
                "Who wins the roll-off takes a side and puts the whole army within 12 inches of it; then the other. "
                "There are 15 pieces of terrain at least. What finds no room comes in by its own edge in round 2.",
                ("OP-SETUP-03", "OP-SETUP-02"),
            ),
            Paragraph(
                "Two copies of a unit of Infantry may stand as one big unit. A Hero or a Psyker may join Infantry "
                "of his Quality, for the whole battle; one of each in a unit.",
                ("OP-UNIT-02", "OP-UNIT-03"),
            ),
            Paragraph(
                "Scouts deploy after all others, 12 inches or more from enemies.",
                ("OP-SR-17",),
            ),
            Paragraph(
                "Deep Strike may wait in reserve. From round 2 on a die of 4 or more brings it, anywhere 12 inches "
                "from enemies. Who has not come when it ends counts as destroyed.",
                ("OP-SR-02",),
            ),
        ),
        ("deploy", "deploy_vehicle", "rest"),
        ("deploy", "Two copies stand as one big unit; a Marshal by himself, who could join them."),
    ),
    BookSection(
        "rounds",
        "Rounds and actions",
        (
            Paragraph(
                "You take turns to activate one unit each, until all have acted. Who is done first begins the next "
                "round.",
                ("OP-ACT-01", "OP-ACT-02"),
            ),
            Paragraph(
                "A unit takes one action. Hold: stay and shoot. Walk: 6 inches and shoot. Run: 12 inches. Assault: "
                "up to 12 inches into contact, and fight.",
                ("OP-ACT-03",),
            ),
            Paragraph(
                "The leader moves, an inch or more from all other units; then the others stand within 6 inches of him, "
                "each within an inch of the next.",
                ("OP-MOVE-01", "OP-MOVE-02", "OP-MOVE-03"),
            ),
            Paragraph(
                "Fast units go 3 inches more, or 6 with Run and Assault. Strider ignores difficult ground, where each "
                "inch counts two. Who flies passes over everything.",
                ("OP-SR-03", "OP-SR-19", "OP-SR-06"),
            ),
        ),
        ("hold", "walk", "run", "idle", "finish"),
        (
            "walk",
            "The leader's way is measured; the others follow to where he stands, each an inch from the next at most.",
        ),
    ),
    BookSection(
        "shoot",
        "Shooting",
        (
            Paragraph(
                "The leader has to see one enemy model. The distance is taken once, from the nearest model to the "
                "nearest; all weapons that reach so far fire, one a model, at one target.",
                ("OP-SHOOT-01", "OP-GEN-04"),
            ),
            Paragraph(
                "Each attack is a Quality test to hit. The target then takes a Quality test for each hit: a success "
                "blocks it. What is not blocked is a wound, and takes a model away; a Tough one stands so many wounds.",
                ("OP-SHOOT-02", "OP-SHOOT-03", "OP-SHOOT-04", "OP-SHOOT-05", "OP-SR-21"),
            ),
            Paragraph(
                "Armored units, and those in cover, ignore a hit on 4 or more before they block. Piercing and Poison "
                "go through that and let blocks be rolled again; machines shrug off half of all Poison. A Rending 6 "
                "is a wound at once. Weapons with an x go through armour, too, and all their wounds fall on one model.",
                ("OP-SR-01", "OP-SR-12", "OP-SR-13", "OP-SR-16", "OP-WPN-01", "OP-WPN-02", "OP-WPN-03"),
            ),
            Paragraph(
                "Linked weapons roll misses again, a Scoper hits on 2 or more, an Indirect one needs no sight, a "
                "Limited one fires once in a battle. A Relentless unit that holds fires all its weapons, at several "
                "targets if you like.",
                ("OP-SR-15", "OP-SR-11", "OP-SR-18", "OP-SR-09", "OP-SR-10"),
            ),
        ),
        ("shoot",),
        (
            "shoot",
            "The leader sees those in the ruins, who are in cover; the hill hides the others from all his unit.",
        ),
    ),
    BookSection(
        "melee",
        "Melee",
        (
            Paragraph(
                "An Assault ends in contact; then as many as can step up. Everybody on both sides strikes with all "
                "melee weapons, and each model that assaults has one attack more, a Furious one two.",
                ("OP-MELEE-01", "OP-MELEE-02", "OP-SR-07"),
            ),
            Paragraph(
                "All strike at once, but for those who strike first or last; Pinned units strike last. Who hates rolls "
                "misses of an Assault again. Against Fear a unit tests its nerve, or strikes last.",
                ("OP-MELEE-03", "OP-SR-20", "OP-SR-08", "OP-SR-04"),
            ),
            Paragraph(
                "Who caused more wounds has won, and the other tests its morale. Then they part by an inch; who has "
                "destroyed the enemy may go on for 3.",
                ("OP-MELEE-04", "OP-MELEE-05"),
            ),
        ),
        ("assault", "fight"),
        ("melee", "The leader in contact, the others as near as they can be; all of both units strike."),
    ),
    BookSection(
        "morale",
        "Morale",
        (
            Paragraph(
                "A unit that loses half of its models at once, or a melee, takes a Quality test. Fearless ones roll a "
                "die more and take the best.",
                ("OP-MOR-01", "OP-SR-05"),
            ),
            Paragraph(
                "Who fails is Pinned: its next activation is spent idle, and it counts for the enemy while it "
                "lasts. After a melee a unit down to half its size runs, and is gone.",
                ("OP-MOR-02", "OP-MOR-03"),
            ),
        ),
    ),
    BookSection(
        "ground",
        "Terrain",
        (
            Paragraph(
                "A unit is in cover if its leader and half of its models are in the piece. All of the piece is then "
                "where it stands: for range, for sight, for contact.",
                ("OP-TERR-02", "OP-TERR-03"),
            ),
            Paragraph("An Assault leads neither into cover nor out of it: come out first.", ("OP-TERR-01",)),
            Paragraph(
                "Forests and ruins are difficult and hide what lies behind, craters only protect, hills and houses "
                "hide. Vehicles keep out of woods and ruins; swamps and barricades may stop them. Mines hit on a 1.",
                ("OP-OPEN-15",),
            ),
        ),
    ),
    BookSection(
        "machines",
        "Monsters and machines",
        (
            Paragraph(
                "Monsters, Walkers and Vehicles are Armored and Relentless; Monsters cause Fear.",
                ("OP-UNIT-04", "OP-UNIT-05", "OP-VEH-01"),
            ),
            Paragraph(
                "A Vehicle drives 12 inches and shoots, or 18, with one turn of up to 90 degrees on the way; "
                "backwards at half the pace. Holding it turns as it likes. Ramming adds a die of hits.",
                ("OP-VEH-02", "OP-VEH-03", "OP-VEH-04"),
            ),
            Paragraph(
                "Each wound on a Walker or Vehicle rolls for damage: 3 or 4 shakes its aim, 5 or 6 breaks its "
                "tracks for good, and once more costs another wound. Of two dice the lower counts from the front, "
                "the higher from behind.",
                ("OP-VEH-05", "OP-VEH-06", "OP-VEH-07"),
            ),
            Paragraph(
                "Infantry rides in transports as far as there is room. Getting in ends a move, getting out is a Walk; "
                "Furious troops may charge straight out at half the distance. If it is destroyed, those aboard are "
                "hit.",
                ("OP-SR-22",),
            ),
        ),
        ("drive", "drive_fast", "turn"),
        ("facing", "Where the attack comes from decides how many dice for damage are rolled, and which counts."),
    ),
    BookSection(
        "powers",
        "Powers",
        (
            Paragraph(
                "Every round brings a die of power dice and the levels of your Psykers more, 12 at most. Take some "
                "for a power: each 4 or more is a success, and a power names how many it needs. Two sixes hurt the "
                "Psyker.",
                ("OP-SR-14",),
            ),
            Paragraph(
                "A Psyker knows the six powers of one discipline, and uses them in his unit's activation, without "
                "having to see. Passage lifts Infantry and puts it down within 18 inches.",
                ("OP-OPEN-14",),
            ),
        ),
        ("power",),
    ),
)

CHOICES: Final = {
    "double": "deploy.2",
    "join": "deploy.2",
    "load": "machines.4",
    "keep": "deploy.4",
    "volley": "shoot.4",
    "embark": "machines.4",
    "disembark": "machines.4",
    "sally": "machines.4",
    "passage": "powers.2",
}
"""Choices that another paragraph than the first of their section tells of."""

ENGLISH: Final[dict[str, str]] = entries("one_page", SECTIONS, CHOICES, PICTURES)
