"""Programs that die: servers, stores and windows killed under play, and what is left of it."""
