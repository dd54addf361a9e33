"""What fire and blasts do: hits, casualties, damage of vehicles, buildings, fires, repairs."""
