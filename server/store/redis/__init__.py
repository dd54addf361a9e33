"""The store in Redis 7. `scripts.py` stores a step (APPEND); `store.py` is the adapter of the port."""
