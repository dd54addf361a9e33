"""Words of a forecast: dice, chance, mean, what could come back, the modifiers with their rules, and what was expected
of an act beside what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.advice import Forecast, ForecastPool, Target
from protocol.scene.nodes import VOIDED, Act


def percent(thousandths: int) -> str:
    """Return a probability in whole percent; what is neither nothing nor certain is never told as either."""
    if 0 < thousandths < 10:
        return phrase("forecast.least")
    if 990 < thousandths < 1000:
        return phrase("forecast.most")
    return phrase("forecast.percent", percent=round(thousandths / 10))


def figures(hundredths: int) -> str:
    """Return a mean number of figures with one decimal."""
    return SPOKEN.decimal(hundredths / 100)


def sum_words(act: Act, texts: Texts) -> str:
    """Return what came of an act, beside the mean of the losses that were forecast of it; of one that is open, what is
    done."""
    words = texts.say(act.sum or act.title)
    if act.expect < 0 or act.how in ("", VOIDED):
        return words
    return phrase("forecast.expected", words=words, mean=figures(act.expect))


def short_words(target: Target) -> str:
    """Return the chance and the mean loss of a target, "" where neither is known; a loss that rounds to none is left
    out."""
    if not target.chance and not target.loss:
        return ""
    chance = percent(target.chance)
    return chance if target.loss < 5 else phrase("forecast.short", chance=chance, mean=figures(target.loss))


def chance_words(target: Target) -> str:
    """Return the chance and the mean loss of a target in words, "" where neither is known."""
    if not target.chance and not target.loss:
        return ""
    return phrase("forecast.sure.exact", chance=percent(target.chance), mean=figures(target.loss))


def forecast_lines(forecast: Forecast, texts: Texts, name_of: Callable[[NodeId], str]) -> Iterator[str]:
    """Yield the lines of a forecast, the chance first."""
    if forecast.outcomes:
        chance, mean = percent(forecast.chance), figures(forecast.mean)
        yield phrase(f"forecast.sure.{forecast.sure}", chance=chance, mean=mean)
    if forecast.cover is not None:
        yield texts.say(forecast.cover)
    yield from (_pool_words(pool, texts) for pool in forecast.pools)
    for line in forecast.lines:
        words = texts.say(line.text)
        yield phrase("forecast.line", words=words, rule=line.rule) if line.rule else words
    for back in forecast.back:
        yield phrase("forecast.back", name=name_of(back.group), mean=figures(back.mean))


def _pool_words(pool: ForecastPool, texts: Texts) -> str:
    purpose = texts.say(pool.purpose)
    if pool.needs:
        return phrase("forecast.pool", purpose=purpose, count=pool.count, sides=pool.sides, needs=pool.needs)
    return phrase("forecast.sum", purpose=purpose, count=pool.count, sides=pool.sides)
