"""`eschaton-server export --person`: all that a host keeps of one person, as the JSON text that they can ask for
themselves (server/lobby/personal_data.py)."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import msgspec

from server.accounts.person_lookup import find_person
from server.cli.data.command_inputs import open_reader
from server.cli.new_file import making
from server.lobby.personal_data import personal_data
from server.runtime.errors import CommandError, SealDamaged
from server.runtime.sealing import SealingKey
from server.store.host_keys import SEALING_KEY
from server.store.port import StoreError


def run(data: Path, place: str, person: str, out: Path | None) -> int:
    """Run the command; `person`: an id, or a name that is kept. Raises CommandError."""
    if not (data / SEALING_KEY).is_file():
        raise CommandError(f"There is no key in {data}: no server has run there.", 1)
    found = asyncio.run(_read(data, place, person))
    if out is None:
        print(found.decode())
        return 0
    with making(out), out.open("xb") as file:
        file.write(found)
    print(json.dumps({"event": "exported", "into": str(out), "bytes": len(found)}))
    return 0


async def _read(data: Path, place: str, person: str) -> bytes:
    opened = await open_reader(data, place)
    try:
        account = await find_person(opened, person)
        if account is None:
            raise CommandError(f"There is nobody with the id or the kept name {person!r} here.", 1)
        return await personal_data(opened, SealingKey.at(data / SEALING_KEY), account.id, int(time.time()))
    except (StoreError, SealDamaged, msgspec.MsgspecError) as problem:
        raise CommandError(f"The store cannot be read: {problem}. `eschaton-server fsck` says more.", 1) from problem
    finally:
        await opened.close()
