"""An evening of four windows at one server, in which each thing that the lobby offers is done, by mouse or by keys.

`visitor` is a person at one of the windows, `features` what they do, in its order, from the modules whose names end
so, `evening` the four of them, `server` their server.
"""
