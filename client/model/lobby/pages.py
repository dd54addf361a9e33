"""Pages of lists that a server keeps, by the place of their first row."""

from __future__ import annotations


def last_page(total: int, rows: int) -> int:
    """Return the place at which the last page of a list begins. `total`: rows of the list; `rows`: those of a page."""
    return max(total - 1, 0) // rows * rows
