"""One folder a rule system, each found through its entry point."""
