"""One Page Apocalypse: a game for two players with armies that they build themselves for points."""

from engine.rulesets.one_page.system import system

__all__ = ["system"]
