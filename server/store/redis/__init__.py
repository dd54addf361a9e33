"""The store in Redis 7. `scripts.py` stores a step (APPEND), `record_scripts.py` all but matches; `match_words.py` and
`record_words.py` read the answers; `store.py` is the adapter of the port."""
