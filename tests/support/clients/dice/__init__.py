"""Programs that add their parts to the dice, and what they keep."""
