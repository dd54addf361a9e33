"""Catalogue of the protocol's own texts in English: refused frames, ended connections, unreadable replays."""

from __future__ import annotations

from typing import Final

ENGLISH: Final[dict[str, str]] = {
    "frame.too_large": "This message is larger than the {most} bytes that are taken at once. Send less in one message.",
    "frame.unreadable": "This message could not be read. Use a program made for this version of the protocol.",
    "frame.too_deep": "This message has too many lists inside one another. Send a simpler one.",
    "frame.unknown_type": "This kind of message is not known here. Both programs should be of the same version.",
    "frame.unknown_field": "The message has a field that is not known here: {field}. Leave it out.",
    "frame.bad_field": "The message has a field that is missing or not as it should be: {field}. Correct it.",
    "frame.wrong_version": "This server speaks version {wanted} of the protocol, your program does not. Update it.",
    "busy": "Too much at once. Wait a moment, then try again.",
    "session.flood": "Far too many messages came from your program. Connect again when it has calmed down.",
    "session.hello_first": "The first message must say who you are. Connect again and begin with that.",
    "session.hello_once": "You have already said who you are on this connection. Say it once only.",
    "session.late": "Your program did not say who it is in time. Connect again.",
    "session.slow": "Your connection takes messages too slowly to keep up with the table. Connect again.",
    "session.drifting": "The server's pictures of the table do not fit together. Connect again, or tell the host.",
    "session.taken_over": "You have connected from another place, which has taken over. This one is closed.",
    # answers to a greeting: no catalogue of the server has come yet
    "problem.session/unknown-token": "This server does not know you (any more). Connect again as a new guest.",
    "problem.session/too-many": "You are connected too many times already. Close another window, or wait a moment.",
    "problem.session/not-signed-in": (
        "Name and password do not fit, or there were too many tries. After five failures wait 15 minutes."
    ),
    "problem.session/sign-in-busy": "Too many people sign in at once. Try again in a moment.",
    "replay.not_a_replay": "This is not a replay file. Choose a file that was saved as one.",
    "replay.wrong_version": "This replay was made in a format that this program does not know. Update the program.",
    "replay.too_large": "This replay is larger than the {most} bytes that are read. It cannot be opened.",
    "replay.truncated": "This replay ends too early. Save or copy it once more.",
    "replay.damaged": "This replay has been changed since it was saved. Get it again from where it came.",
    "replay.too_costly": "This replay needs more memory or time than any honest one. It is not opened.",
    "replay.bad_section": "A part of this replay cannot be read: {section}. Get it again from where it came.",
    "replay.too_many": "This replay holds more than the {most} entries that are read. It cannot be opened.",
}
