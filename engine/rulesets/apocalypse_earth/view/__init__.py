"""Scene, sheets and cues. Imports rules, content, state and text."""
