"""The English catalogue and the rulebook."""
