"""The game in plain text, one line after another, for screen readers, bare terminals and pipes. Imports no toolkit of
windows: what is shown and asked comes from the models and controllers that the window has, too."""
