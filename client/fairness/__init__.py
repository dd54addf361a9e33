"""Checks that the client makes itself: of live dice, receipts, replays and records of hosts. No window."""
