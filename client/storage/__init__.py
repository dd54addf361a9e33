"""Files of a profile on this computer: whole or not at all, for their owner alone."""
