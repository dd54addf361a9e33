"""The store in Redis 7. `scripts.py` stores a step (APPEND), `record_scripts.py` all but matches; `store.py` is the
adapter of the port."""
