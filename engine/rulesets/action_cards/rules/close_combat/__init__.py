"""Resolution of close combats, in its order: dice and casualties, then the aftermath."""
