"""The order of play, actions, and what holds a unit together: coherency, morale, rallies, officers."""
