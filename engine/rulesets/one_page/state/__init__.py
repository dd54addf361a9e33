"""The state by value, intents, and the events that change it."""
