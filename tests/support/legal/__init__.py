"""Guests who do all that they may, as often as they may, and what that costs a server and those beside them.

`guests`: one of them, within its limits; `work`: what each kind of guest says; `world`: the tables that they need;
`costs`: the server's CPU for each kind of message; `attack`: 54 of them, a program; `server`: the program they attack.
"""
