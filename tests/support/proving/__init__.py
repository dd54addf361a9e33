"""The proving game: a rule system for tests alone, made of the hardest cases for the engine's contract.

Three seats on a table of hexes, each with two units in the open and one in the dark. An activation is declared with its
path; all others declare reactions to it, sealed and together; each reaction may be interrupted from overwatch, cards
may be played before its test and drawn in it; a unit whose nerve fails breaks the activation.
"""

from tests.support.proving.system import Proving

system = Proving()
