"""Clocks, disks, relays and stores of which a test decides when they fail."""
