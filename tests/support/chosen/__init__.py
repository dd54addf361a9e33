"""A host that would choose the dice of its match, and programs that it plays against: all in one process, no sockets.

Uses engine, protocol, the server's facts and the client's check; the attacks are in tests/faults.
"""
