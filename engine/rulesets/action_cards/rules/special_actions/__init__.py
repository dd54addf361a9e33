"""Special actions of factions and scenarios, and proposals of what no rule lists."""
