"""Setup, reserves, victory conditions, and the end."""
