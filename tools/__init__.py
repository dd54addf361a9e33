"""Tools that set a checkout up and prove it: setup, system packages, the proof of rules, the demonstration."""
