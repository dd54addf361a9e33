"""Sessions of a profile of this computer, with all that is kept of them beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from client.model.session import ClientSession
from client.model.sound.mixer import SoundMixer
from client.net.address import Address
from client.net.connection import ReconnectingSocket
from client.storage.entropy_files import EntropyFiles
from client.storage.profile import profile_path
from client.storage.shared_profile import SharedProfile


def own_session(
    address: Address,
    file: SharedProfile,
    *,
    keep: Callable[[], bool],
    read_again: Callable[[], None],
    wake: Callable[[], object],
    sounds: SoundMixer | None = None,
    password: str | None = None,
) -> ClientSession:
    """Return a session of this profile with a server, which has not begun to connect. Receipts, records of hosts and
    entropy chains lie beside the profile's file; `wake` is called from another thread when there is news; `sounds`
    plays those of the table, where they are to be heard."""
    home = profile_path(file.name, file.folder).parent
    return ClientSession(
        address,
        file.profile,
        keep,
        connect=partial(ReconnectingSocket, wake=wake),
        receipts=home / "receipts" / file.name,
        password=password,
        hosts=home / f"hosts-{file.name}.json",
        chains=EntropyFiles(home / "entropy" / file.name),
        read_again=read_again,
        sounds=sounds,
    )
