"""The command line of `eschaton-server`: its settings, and where they may stand."""
