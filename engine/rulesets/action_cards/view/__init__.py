"""Scene, prompts, details and cues. Imports content, rules, state and text."""
