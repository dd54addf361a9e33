"""Hosts, players and forgers against each other: attacks on those at whose table they are, or on their files."""
