"""The matches of tables: their beginning, their sleep and return, their end, and what is kept of them."""
