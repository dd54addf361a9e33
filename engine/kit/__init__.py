"""Pieces that rule systems share: verbs, boards, presentation and bots. Imports core and space, and knows no system."""
