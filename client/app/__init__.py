"""The program: its commands, its window, and the pilot that fills it. Imports every other package of the client."""
