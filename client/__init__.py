"""The arcade client and the checker. Imports protocol only."""
