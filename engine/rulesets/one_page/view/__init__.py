"""Scene, prompts, details and cues. Imports rules, content, state and text."""
