"""Special actions of factions, and what no rule lists."""
