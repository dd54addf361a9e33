"""The state of the client: session, scene, replays, and what was heard. No window."""
