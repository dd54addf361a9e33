"""Attacks die by die, shooting and melee alike: to hit, to ignore, to block (OP-SHOOT-02, -03, -05)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.core.rules.rerolls import reroll
from engine.core.rules.wounds import Harm
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


@implements("OP-SHOOT-02", "OP-SHOOT-05")
def to_hit(game: Game[Battle], seat: Seat, attack: Attack) -> tuple[int, ...]:
    """Roll to hit and return the final faces of all attacks; each die is rolled again at most once."""
    need = needed(attack)
    faces = game.roll(Pool(attack.attacks), HIT, seat).faces
    sure = attack.sure or _is_linked(attack)

    def doubtful(face: int) -> bool:
        return attack.unsure if face >= need else sure

    return reroll(game, seat, faces, doubtful, HIT_AGAIN)


@implements("OP-SR-11")
def _is_linked(attack: Attack) -> bool:
    """Tell if failed hits are rolled again for a Linked weapon."""
    return attack.has(rules.LINKED)


@implements("OP-SR-16")
def rending(attack: Attack, faces: tuple[int, ...]) -> int:
    """Return the number of hits that are wounds at once: the final 6s of a Rending weapon."""
    return faces.count(6) if attack.has(rules.RENDING) else 0


@implements("OP-SR-12", "OP-SR-13")
def pierces(attack: Attack) -> bool:
    """Tell if the attack is Piercing or Poison: Armored is ignored, and successful blocks are rolled again."""
    return attack.has(rules.PIERCING) or attack.has(rules.POISON)


def pierces_with(weapon: WeaponProfile) -> bool:
    """Tell if a weapon is Piercing or Poison."""
    return weapon.has(rules.PIERCING) or weapon.has(rules.POISON)


@implements("OP-SR-01", "OP-SR-13", "OP-WPN-02")
def ignored_up_to(state: Battle, attack: Attack, target: Unit) -> tuple[int, int]:
    """Return the lowest and highest face that ignore a hit; (0, 0) where no die is rolled for it."""
    if attack.has(rules.POISON) and traits.is_machine(state, target):
        return 1, RESISTS
    protected = attack.covered or traits.has(state, target, rules.ARMORED)
    if not protected or pierces(attack) or attack.single:
        return 0, 0
    return ARMOUR, 6


@implements("OP-SHOOT-03", "OP-SHOOT-05")
def resolve(game: Game[Battle], seat: Seat, attack: Attack) -> Harm:
    """Roll one attack to the end, emit the blow and return the wounds that it causes."""
    state = game.state
    target = state.units[attack.target]
    defender = Seat(target.owner)
    sixes = 0
    hits = attack.attacks
    if attack.weapon is not None:
        faces = to_hit(game, seat, attack)
        hits = sum(face >= needed(attack) for face in faces)
        sixes = rending(attack, faces)
    left = hits - sixes
    low, high = ignored_up_to(state, attack, target)
    stopped = 0
    if left and high:
        stopped = sum(low <= face <= high for face in game.roll(Pool(left), IGNORE, defender).faces)
    left -= stopped
    blocked = blocks(game, defender, left, traits.quality(state, target), pierced=pierces(attack)) if left else 0
    wounds = sixes + left - blocked
    label = attack.weapon.id if attack.weapon is not None else attack.label
    game.emit(
        BlowStruck(
            Blow(attack.unit, target.id, label, attack.kind, attack.attacks, hits, sixes, stopped, blocked, wounds)
        )
    )
    return Harm(wounds, attack.single)


@implements("OP-SHOOT-03", "OP-SR-12")
def blocks(game: Game[Battle], seat: Seat, hits: int, quality: int, *, pierced: bool) -> int:
    """Roll Quality tests and return how many of these hits a unit blocks."""
    faces = game.roll(Pool(hits), BLOCK, seat).faces
    if pierced:
        faces = reroll(game, seat, faces, lambda face: face >= quality, BLOCK_AGAIN)
    return sum(face >= quality for face in faces)
