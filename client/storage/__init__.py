"""Files on this computer, of a profile and for it: for their owner alone where they hold secrets."""
