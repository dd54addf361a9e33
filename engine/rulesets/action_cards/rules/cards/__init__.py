"""The deck of action cards, and the actions of a card."""
