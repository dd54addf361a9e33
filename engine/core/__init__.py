"""The part of a match that every rule system shares: steps, events, procedures, questions, dice, views."""
