"""Resolution of close combats, in its order: dice and casualties (hth_resolve), then the aftermath."""
