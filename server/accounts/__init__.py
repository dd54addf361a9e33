"""Who people are on this server, and how long it remembers them. Imports match, store and runtime; lobby and net import
it."""
