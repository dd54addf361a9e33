"""The state by value: profiles, the content of a match, intents and events."""
