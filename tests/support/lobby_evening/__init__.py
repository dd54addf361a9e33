"""An evening of four windows at one server, in which each thing that the lobby offers is done, by mouse or by keys.

`visitor` is a person at one of the windows, `features` what they do, `evening` the four of them.
"""
