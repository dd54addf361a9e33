"""The table, its match and its news as lines of text, with places by name, distance and direction."""
