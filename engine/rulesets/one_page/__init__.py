"""One Page Apocalypse: two players, armies for points that people build themselves."""

from engine.rulesets.one_page.system import system

__all__ = ["system"]
