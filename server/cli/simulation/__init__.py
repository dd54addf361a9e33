"""Matches between bots without a network: simulation, balance and strength, and the pages about them."""
