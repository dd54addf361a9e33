"""Rule systems, one package each, found through its entry point."""
