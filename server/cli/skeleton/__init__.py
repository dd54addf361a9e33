"""Template of a rule system, which `eschaton-server new-system` copies under another name: a game that plays."""
