"""The window's means: frames of shapes and text, layout, theme, camera, sounds. Imports input and all below it."""
