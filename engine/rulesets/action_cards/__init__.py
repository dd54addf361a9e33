"""The action-card skirmish: four to six factions, a shared deck of action cards, D6 damage totals."""

from engine.rulesets.action_cards.system import system

__all__ = ["system"]
