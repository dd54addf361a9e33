"""The exceptions of the server, as one tree below the root of the project (protocol/errors.py).

    EschatonError
    |-- RefusedError
    |   |-- Refused            a request of a person           server/runtime/refusals.py
    |   |-- CommandError       a command of the operator       here
    |   |-- AlreadyDone        an act that is durable already  server/match
    |   |-- NotArchived        a match that must stay stored   server/lobby
    |   `-- NoProxyHeader      a proxy that names nobody       server/net
    |-- FaultError
    |   |-- BotFailed          a bot, or its process           server/match/bots
    |   `-- ChildFailed        the process of a replay         server/match
    |-- DamageError
    |   |-- KeyDamaged         a key file                      here
    |   |-- SealDamaged        a sealed secret, or its key     here
    |   |-- StoreDamaged       a store; a StoreError, too      server/store/port.py
    |   |-- DoesNotHold        a replay, against the rules     server/match
    |   `-- BadForwarded, BadProxyHeader: words of a proxy       server/net
    |-- StoreError             the store failed                server/store/port.py
    |   |-- StoreUnavailable   it may succeed later
    |   |   |-- StoreInUse     another server has it
    |   |   `-- StoreTooNew    a newer program has written it
    |   |-- RecordConflict     another version is stored
    |   |-- RecordTooNew       a newer program has written it
    |   `-- StoreDamaged       it never will
    |-- ConnectionLost         the connection to Redis         server/store/redis/connection.py
    |-- LostMatch              another host writes this match  server/match
    |   `-- LostSteps          the store has lost steps of it
    |-- OtherCode              a match under other rule code   server/match
    |-- HostEnded              a match host that is over       server/match
    `-- NoProcess, ProcessEnded, NotAsked                      server/match/bots

A class stands here where more than one package raises it, else beside the code that does.
"""

from __future__ import annotations

from protocol.errors import DamageError, RefusedError


class CommandError(RefusedError):
    """A command of the operator that cannot do its work; its text says what is wrong and what to do.

    `status`: the exit status, 1 where something does not hold, 2 for a wrong call.
    """

    def __init__(self, text: str, status: int = 2) -> None:
        super().__init__(text)
        self.status = status


class KeyDamaged(DamageError):
    """A key file that cannot be used; its text says why, and what to do."""


class SealDamaged(DamageError):
    """A sealed secret that cannot be opened, or the key that it was sealed with."""
