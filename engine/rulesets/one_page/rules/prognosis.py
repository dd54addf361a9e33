"""What attacks would come to: the exact distribution of the models that fall (OP-SHOOT-02 to -05, OP-VEH-05)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from engine.kit import distributions
from engine.kit.distributions import Distribution
from engine.kit.forecasts import figures_lost, forecast
from engine.rulesets.one_page.rules import attacks, casualties, damage, traits
from engine.rulesets.one_page.rules.attacks import Attack
from engine.rulesets.one_page.rules.casualties import WoundSource
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import GroupId
from protocol.scene.advice import Forecast, ForecastLine, ForecastPool
from protocol.text import Text, text


def of_attacks(state: Battle, target: GroupId, struck: Sequence[Attack], source: WoundSource) -> Forecast | None:
    """Return the losses of a unit by these attacks, None where its owner is asked first which models take wounds, or
    whom they strike decides by dice of its own."""
    unit = state.units[target]
    wounds = [wounds_of(state, attack) for attack in struck]
    if traits.is_machine(state, unit):
        total = distributions.certain(0)
        for one in wounds:
            total = total.plus(one)
        losses = wrecked(state, target, total, source)
    elif not unit.soak and casualties.is_mixed(state, unit):
        return None
    else:
        lives = [traits.life(state, figure) for rank in casualties.ranks(state, unit) for figure in rank]
        losses = figures_lost(lives, [(one, attack.single) for one, attack in zip(wounds, struck, strict=True)])
    covered = any(attack.covered for attack in struck)
    pools = [ForecastPool(Text(attacks.HIT), attack.attacks, needs=attacks.needed(attack)) for attack in struck]
    lines = [
        ForecastLine(names.weapon(state, state.units[attack.unit].owner, attack.weapon.id), "OP-SHOOT-02")
        for attack in struck
        if attack.weapon is not None
    ]
    return forecast(losses, pools, lines, text("op.cover.yes" if covered else "op.cover.no"))


def wounds_of(state: Battle, attack: Attack) -> Distribution:
    """Return the distribution of the wounds of one attack with a weapon: each of its dice by itself."""
    target = state.units[attack.target]
    low, high = attacks.ignored_up_to(state, attack, target)
    chance = attacks.wound_chance(
        attacks.hit_test(attack),
        rends=attacks.rends(attack),
        ignored=Fraction(high - low + 1, attacks.SIX) if high else Fraction(0),
        block=attacks.block_test(traits.quality(state, target), pierced=attacks.pierces(attack)),
    )
    return distributions.successes(attack.attacks, chance)


def wrecked(state: Battle, target: GroupId, wounds: Distribution, source: WoundSource) -> Distribution:
    """Return the distribution of a machine's loss (0 or 1) by so many wounds, each with its roll for damage."""
    figure = state.leader(state.units[target])
    side = source.side or damage.side_hit(figure.at, figure.facing, source.at)
    worst = damage.chance_above(damage.SHAKEN, side)

    @cache
    def falls(life: int, waiting: int, *, tracked: bool) -> Fraction:
        """Return the chance that it is destroyed, with so many wounds still to be dealt out."""
        if not waiting:
            return Fraction(0)
        if life == 1:
            return Fraction(1)
        again = falls(life - 1, waiting if tracked else waiting - 1, tracked=True)
        return worst * again + (1 - worst) * falls(life - 1, waiting - 1, tracked=tracked)

    life, tracked = traits.life(state, figure), state.units[target].tracked
    return wounds.then(lambda count: distributions.successes(1, falls(life, min(count, life), tracked=tracked)))
