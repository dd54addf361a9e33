"""Pictures of the program for its documentation, drawn by its own windows: `make pictures`.

`lobby` and its neighbours play an evening of four windows at a real server of this computer, `boards` a seeded match in
memory and the lessons. `camera` makes the files.
"""
