"""Commands of the program, by the place where they hold, and what a person is told as they come there."""
