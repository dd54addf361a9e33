"""Fire of a unit: weapons, aimed shots, volleys, sieges and what is used in contact."""
