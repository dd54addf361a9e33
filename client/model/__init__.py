"""The state of the client: session, scene, replays, rulebook. Opens no window. Imports fairness and all below it."""
