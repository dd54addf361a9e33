"""Fire support and psychic powers."""
