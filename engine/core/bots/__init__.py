"""Programs that play: the contract of bots, the random player, play in memory. Imports view, match and rules."""
