"""A host that tries to choose the dice of its match, and programs that it plays against: in one process, no sockets.

Uses engine, protocol, the server's facts and the client's check; the attacks are in tests/faults.
"""
