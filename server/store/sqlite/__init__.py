"""The store in one SQLite file. `step_writer.py` stores a step; `store.py` is the adapter of the port."""
