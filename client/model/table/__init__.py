"""Table as a person sees it: scene, log, story, and shapes on the board."""
