"""The client's own words, and the catalogues that a server sends. Imports the protocol only."""
