"""What fills the window: one module a view."""
