"""Programs that kill, flood, bend and forge."""
