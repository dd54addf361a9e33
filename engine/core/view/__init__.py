"""Views of a match: projection, prompts, rulebooks. Imports match and rules."""
