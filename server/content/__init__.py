"""Rule systems as they are installed, and a host's own content for them. Imports store and runtime."""
