"""The commands of connected people, one module a subject: each is held to its bound, carried out, and answered."""
