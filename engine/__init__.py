"""Pure rules: no I/O, no clock, no network, no global randomness."""
