"""The board with its panels, as live table, replay and picture share it; and the replay."""
