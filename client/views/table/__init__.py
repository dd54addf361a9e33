"""The screen of a live match, with its menu, votes, offers and spectators. Imports views.board."""
