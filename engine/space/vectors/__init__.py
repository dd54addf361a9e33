"""Points, directions, outlines and hulls in integers."""
