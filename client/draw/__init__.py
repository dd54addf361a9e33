"""How things look: one module a kind of node or panel."""
