"""Attacks die by die, shooting and melee alike: to hit, to ignore, to block (OP-SHOOT-02, -03, -05)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

from engine.kit.casualties import Harm
from engine.kit.pools import DieTest
from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.one_page.rules import traits
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.events import BlowStruck
from engine.rulesets.one_page.state.profiles import WeaponProfile
from engine.rulesets.one_page.state.state import Battle, Blow, Unit
from protocol.ids import GroupId

HIT: Final = "op.dice.hit"
HIT_AGAIN: Final = "op.dice.hit_again"
IGNORE: Final = "op.dice.ignore"
BLOCK: Final = "op.dice.block"
BLOCK_AGAIN: Final = "op.dice.block_again"
ARMOUR: Final = 4
RESISTS: Final = 3
"""OP-SR-13: highest face with which a Vehicle or Walker ignores poison."""
SCOPER_QUALITY: Final = 2
SIX: Final = 6


class Attack(NamedTuple):
    """A number of attacks with one kind of weapon. `weapon` None: `attacks` hits of a power, a ram or mines, without a
    roll to hit.

    `unsure`: successes are rolled again; `sure`: failures are rolled again.
    """

    unit: GroupId
    target: GroupId
    kind: str
    attacks: int
    quality: int
    weapon: WeaponProfile | None = None
    label: str = ""
    unsure: bool = False
    sure: bool = False
    covered: bool = False
    traits: tuple[str, ...] = ()

    def has(self, rule: str) -> bool:
        """Tell if the weapon, or these hits, have a rule."""
        return rule in self.traits or (self.weapon is not None and self.weapon.has(rule))

    @property
    def single(self) -> bool:
        """True where all wounds go to one model (OP-WPN-02)."""
        return self.weapon is not None and self.weapon.single


@implements("OP-GEN-03", "OP-SR-18")
def needed(attack: Attack) -> int:
    """Return the least face that hits: the Quality, or 2 with a Scoper."""
    return SCOPER_QUALITY if attack.has(rules.SCOPER) else attack.quality


@implements("OP-SHOOT-02", "OP-SHOOT-05", "OP-SR-11")
def hit_test(attack: Attack) -> DieTest:
    """Return the test to hit; each die is rolled again at most once, failures those of a Linked weapon."""
    again = attack.sure or attack.has(rules.LINKED)
    return DieTest(needed(attack), failures_again=again, successes_again=attack.unsure)


@implements("OP-SHOOT-03", "OP-SR-12")
def block_test(quality: int, *, pierced: bool) -> DieTest:
    """Return the test to block a hit; a Piercing one has successes rolled again."""
    return DieTest(quality, successes_again=pierced)


@implements("OP-SR-16")
def rending(attack: Attack, faces: tuple[int, ...]) -> int:
    """Return the number of hits that are wounds at once: the final 6s of a Rending weapon."""
    return faces.count(SIX) if attack.has(rules.RENDING) else 0


@implements("OP-SR-12", "OP-SR-13")
def pierces(attack: Attack | WeaponProfile) -> bool:
    """Tell if an attack is Piercing or Poison: Armored is ignored, and successful blocks are rolled again."""
    return attack.has(rules.PIERCING) or attack.has(rules.POISON)


@implements("OP-SR-01", "OP-SR-13", "OP-WPN-02")
def ignored_up_to(state: Battle, attack: Attack, target: Unit) -> tuple[int, int]:
    """Return the lowest and highest face that ignore a hit; (0, 0) where no die is rolled for it."""
    if attack.has(rules.POISON) and traits.is_machine(state, target):
        return 1, RESISTS
    protected = attack.covered or traits.has(state, target, rules.ARMORED)
    if not protected or pierces(attack) or attack.single:
        return 0, 0
    return ARMOUR, 6


def wound_chance(hit: DieTest, *, rends: bool, ignored: Fraction, block: DieTest) -> Fraction:
    """Return the chance that one attack wounds: by a final 6 where it `rends`, else if it is neither ignored nor
    blocked."""
    six = hit.ends_on(lambda face: face == SIX) if rends else Fraction(0)
    return six + (hit.chance - six) * (1 - ignored) * (1 - block.chance)


@implements("OP-SHOOT-03", "OP-SHOOT-05")
def resolve(game: Game[Battle], seat: Seat, attack: Attack) -> Harm:
    """Roll one attack to the end, emit the blow and return the wounds that it causes."""
    state = game.state
    target = state.units[attack.target]
    defender = Seat(target.owner)
    hits, label, sixes, stopped, blocked = attack.attacks, attack.label, 0, 0, 0
    if attack.weapon is not None:
        test, label = hit_test(attack), attack.weapon.id
        faces = test.roll(game, seat, attack.attacks, HIT, HIT_AGAIN)
        hits, sixes = test.successes(faces), rending(attack, faces)
    low, high = ignored_up_to(state, attack, target)
    if hits > sixes and high:
        faces = game.roll(Pool(hits - sixes, low=low, high=high), IGNORE, defender).faces
        stopped = sum(low <= face <= high for face in faces)
    left = hits - sixes - stopped
    if left:
        block = block_test(traits.quality(state, target), pierced=pierces(attack))
        blocked = block.successes(block.roll(game, defender, left, BLOCK, BLOCK_AGAIN))
    wounds = sixes + left - blocked
    blow = Blow(attack.unit, target.id, label, attack.kind, attack.attacks, hits, sixes, stopped, blocked, wounds)
    game.emit(BlowStruck(blow))
    return Harm(wounds, attack.single)
