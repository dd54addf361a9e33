"""Pages of lists that a server keeps, by the place of their first row."""

from __future__ import annotations


def page_start(first: int, total: int, rows: int, *, is_empty: bool) -> int:
    """Return the place at which to look at a list: that of its last page where a page that came empty lies behind its
    end, as the list has become shorter; else `first`. `total`: rows of the list; `rows`: those of a page."""
    return min(first, max(total - 1, 0) // rows * rows) if is_empty else first
