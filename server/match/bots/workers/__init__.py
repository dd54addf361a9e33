"""Processes of the server in which bots think, each at copies of matches. `worker`, `match_copy` and `orders` are what
such a process imports: no event loop, and nothing of the rest of the server but its bots."""
