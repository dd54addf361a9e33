"""Forecasts of attacks: the exact distribution of the models that fall (OP-SHOOT-02 to -05, OP-VEH-05)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine.kit import distributions
from engine.kit.distributions import Distribution
from engine.kit.forecasts import Wounds, figures_lost, forecast
from engine.rulesets.one_page.rules import attacks, casualties, damage, traits
from engine.rulesets.one_page.rules.attacks import Attack
from engine.rulesets.one_page.rules.casualties import WoundSource
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import GroupId
from protocol.scene.advice import Forecast, ForecastLine, ForecastPool
from protocol.text import Text, text


def of_attacks(state: Battle, target: GroupId, struck: Sequence[Attack], source: WoundSource) -> Forecast | None:
    """Return the forecast of these attacks, None where the owner of the unit is asked first which models take
    wounds."""
    losses = losses_of(state, target, [(wounds_of(state, attack), attack.single) for attack in struck], source)
    if losses is None:
        return None
    covered = any(attack.covered for attack in struck)
    pools = [ForecastPool(Text(attacks.HIT), attack.attacks, needs=attacks.needed(attack)) for attack in struck]
    lines = [
        ForecastLine(names.weapon(state, state.units[attack.unit].owner, attack.weapon.id), "OP-SHOOT-02")
        for attack in struck
        if attack.weapon is not None
    ]
    return forecast(losses, pools, lines, text("op.cover.yes" if covered else "op.cover.no"))


def losses_of(state: Battle, target: GroupId, wounds: Sequence[Wounds], source: WoundSource) -> Distribution | None:
    """Return the distribution of the models that fall by these wounds, None where their owner is asked first which
    take them."""
    unit = state.units[target]
    if traits.is_machine(state, unit):
        return wrecked(state, target, distributions.summed(one for one, _ in wounds), source)
    if not unit.soak and casualties.is_mixed(state, unit):
        return None
    lives = [traits.life(state, figure) for rank in casualties.ranks(state, unit) for figure in rank]
    return figures_lost(lives, wounds)


def of_hits(state: Battle, hits: Distribution, attack: Attack) -> Distribution:
    """Return the distribution of the wounds of a number of hits that chance decides, each like those of `attack`."""
    return hits.then(lambda count: wounds_of(state, attack._replace(attacks=count)))


def wounds_of(state: Battle, attack: Attack) -> Distribution:
    """Return the distribution of the wounds of one attack: each of its dice by itself."""
    target = state.units[attack.target]
    low, high = attacks.ignored_up_to(state, attack, target)
    chance = attacks.wound_chance(
        attacks.hit_test(attack),
        rends=attack.weapon is not None and attack.has(rules.RENDING),
        ignored=Fraction(high - low + 1, attacks.SIX) if high else Fraction(0),
        block=attacks.block_test(traits.quality(state, target), pierced=attacks.pierces(attack)),
    )
    return distributions.successes(attack.attacks, chance)


def wrecked(state: Battle, target: GroupId, wounds: Distribution, source: WoundSource) -> Distribution:
    """Return the distribution of a machine's loss (0 or 1) by so many wounds, each with its roll for damage."""
    figure = state.leader(state.units[target])
    side = source.side or damage.side_hit(figure.at, figure.facing, source.at)
    life = traits.life(state, figure)
    falls = _falls(life, damage.chance_above(damage.SHAKEN, side), tracked=state.units[target].tracked)
    return wounds.then(lambda count: distributions.successes(1, falls[min(count, life)]))


def _falls(life: int, worst: Fraction, *, tracked: bool) -> tuple[Fraction, ...]:
    """Return the chances that a machine is destroyed, by the number of wounds up to its life. `worst`: the chance of
    each that its roll makes the machine tracked or, where it is, brings another wound."""
    chances = {(waiting, before): Fraction(min(waiting, 1)) for waiting in range(life + 1) for before in (False, True)}
    for _ in range(life - 1):  # from the last life up
        chances = {
            (waiting, before): worst * chances[waiting if before else waiting - 1, True]
            + (1 - worst) * chances[waiting - 1, before]
            if waiting
            else Fraction(0)
            for waiting, before in chances
        }
    return tuple([chances[waiting, tracked] for waiting in range(life + 1)])
