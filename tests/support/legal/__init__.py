"""Guests who do as much as they may, as often as they may, and the cost to a server and its other clients.

`guests`: one of them, within its limits; `work`: the messages of each kind of guest; `world`: the tables that they
need; `costs`: the server's CPU for each kind of message; `attack`: 54 of them, a program; `server`: the program they
attack.
"""
