"""The hosting of one match. Imports content, store and runtime; lobby, net and the commands import it."""
