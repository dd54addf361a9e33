"""`eschaton-server doctor`: looks at a running installation and says what is wrong, and which command mends it.

It changes nothing. `checks` is the table of all that it looks for. It may import all other folders of the server.
"""
