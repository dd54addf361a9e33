"""Army lists built for points: short codes of them. Imports core and space."""
