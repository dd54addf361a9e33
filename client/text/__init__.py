"""Words of the client itself, and the catalogues that a server sends. Imports the protocol only."""
