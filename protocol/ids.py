"""Ids: the names of things that travel between rooms, each a type of its own, so that none passes for another.

They are checked by mypy alone: at run time each is its plain string or number, and so it is on the wire and in files.
"""

from __future__ import annotations

from typing import Final, NewType

TableId = NewType("TableId", str)
"""Name of a table in the lobby: 12 hex digits, never used again."""
MatchId = NewType("MatchId", str)
"""Name of a match in store, logs and signed texts: its table's (`match_of`), or one made up by a simulation."""
GroupId = NewType("GroupId", str)
"""Name of a group or unit in the state of a rule system: `seat.number`."""
FigureId = NewType("FigureId", str)
"""Name of a figure or model there, on the table or off it: `seat-number` or `group.number`, as the system says."""
NO_TABLE: Final = TableId("")
NO_GROUP: Final = GroupId("")
NO_FIGURE: Final = FigureId("")
"""Ids of none, where one may be missing, and of bases that are no figure's."""
NodeId = NewType("NodeId", str)
"""Name of a node of the scene: `kind/name`, or the bare kind where there is but one (protocol/scene/nodes.py)."""
PromptId = NewType("PromptId", str)
"""Name of what a seat may do now, `stream-number`: intents carry it back, so that none answers an older prompt."""
Seq = NewType("Seq", int)
"""Number of a frame in the stream of a part: each delta has the next one, a snapshot that of its newest delta."""
BEGINNING: Final = Seq(0)
"""Number of a part before its first delta."""


def match_of(table: TableId) -> MatchId:
    """Return the id of the match at a table: a table has one match, which bears its id."""
    return MatchId(table)


def table_of(match: MatchId) -> TableId:
    """Return the id of the table of a match, by which its record is found."""
    return TableId(match)
