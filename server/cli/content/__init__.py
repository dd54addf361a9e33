"""Commands for content of one's own: checked, drawn, begun and watched; army lists, and new rule systems."""
