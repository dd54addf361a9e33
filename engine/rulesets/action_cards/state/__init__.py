"""The state by value, the intents, and the events that change it."""
