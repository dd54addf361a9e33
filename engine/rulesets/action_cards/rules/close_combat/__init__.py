"""Close combat in its order: fought out (hth_resolve), then its aftermath."""
