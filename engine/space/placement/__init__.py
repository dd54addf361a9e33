"""Free places for figures, and coherency. Imports movement and all below it."""
