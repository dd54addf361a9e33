"""Cache of values that follow from one group's figures and the ground alone, valid while neither changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from operator import is_
from typing import Any, TypeVar

from engine.core.rules.implements import rules_now
from engine.rulesets.action_cards.rules.board import hulls
from engine.rulesets.action_cards.state.state import Figure
from engine.space.sight.lines import Formation
from engine.space.terrain.features import Scenery

T = TypeVar("T")


class GroupCache:
    """Figures of a group and their ground, with a cache of values that follow from these alone."""

    def __init__(self, figures: tuple[Figure, ...], ground: Scenery, formed: Formation) -> None:
        self.figures = figures
        self.ground = ground
        self.formation = formed
        self._memo: dict[Hashable, tuple[object, Any]] = {}

    def holds_for(self, figures: tuple[Figure, ...], ground: Scenery) -> bool:
        same = ground is self.ground and len(figures) == len(self.figures)
        return same and all(map(is_, figures, self.figures))

    def cached(self, name: Hashable, make: Callable[[], T]) -> T:
        """Return the cached value of this name under the same rules, else make it. `make` may depend on nothing but the
        group's figures and the ground."""
        rules = rules_now()
        found = self._memo.get(name)
        if found is not None and found[0] is rules:
            known: T = found[1]
            return known
        made = make()
        self._memo[name] = rules, made
        return made

    @cached_property
    def inside(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for figure in self.figures:
            for area in self.ground.areas_at(figure.at) if hulls.is_down(figure) else ():
                counts[str(area)] = counts.get(str(area), 0) + 1
        return counts
