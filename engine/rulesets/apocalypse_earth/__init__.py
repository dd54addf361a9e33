"""Apocalypse: Earth: companies of the late twentieth century in centimetres, for two to six players."""

from engine.rulesets.apocalypse_earth.system import system

__all__ = ["system"]
