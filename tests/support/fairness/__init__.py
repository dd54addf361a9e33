"""Matches whose programs add to the dice, their receipts, and a test host's signatures."""
