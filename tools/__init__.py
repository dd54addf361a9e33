"""What sets a checkout up and proves it: setup, system packages, the proof of rules, the demonstration."""
