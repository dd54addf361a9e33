"""The pictures of a match that viewers see: projection, prompts, rulebooks. Imports match and rules."""
