"""Processes of the server in which bots think, each at a mirror of its match. `worker`, `mirror` and `orders` are what
such a process imports: no event loop, and nothing of the rest of the server but its bots."""
