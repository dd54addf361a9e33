"""The contract of rule systems, and their means: game, questions, events, record, dice. Imports the protocol."""
