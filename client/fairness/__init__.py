"""The client's own checks: live dice, receipts, records of hosts, and replays. No window."""
