"""The part of the foreign client that plays: it fills choices in from what the prompt offers, whatever the game is."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any, Final

from tests.support.clients.foreign.client import Foreign

IMPOSSIBLE: Final = object()
"""Nothing can be chosen for this field."""
PLAINLY: Final = 0.2
"""How often any choice is made, whether there is something to fill in or not."""

Message = dict[str, Any]


def value_for(field: Message, dice: random.Random) -> Any:
    """A value that this field may have (page, "Fields")."""
    default = field.get("default")
    ids = [option["id"] for option in field.get("options", []) if isinstance(option, dict)]
    match field["k"]:
        case "pieces":
            least, most = field.get("least", 1), min(field.get("most", 1), len(ids))
            if least > most:
                return IMPOSSIBLE
            return default or dice.sample(ids, dice.randint(least, most))
        case "option":
            return dice.choice(ids) if ids else default or IMPOSSIBLE
        case "point" | "template":
            corners = [corner for region in field.get("regions", []) for corner in region]
            return default or field.get("start") or (dice.choice(corners) if corners else IMPOSSIBLE)
        case "path":
            return dice.randint(field.get("least", 0), len(field["path"]) - 1)
        case "cell":
            return dice.choice(field["options"]) if field.get("options") else default or IMPOSSIBLE
        case "way":
            return default or _straight(field, dice)
        case "facing":
            return dice.choice(field["angles"]) if field.get("angles") else IMPOSSIBLE
        case "number":
            return dice.randint(field.get("least", 0), field.get("most", 0))
        case "assign":
            return default or _spread(field)
        case "order":
            return default or [item["id"] for item in field.get("items", [])]
        case "placement":
            return default or {}
        case "text":
            return default or ""
    return IMPOSSIBLE  # a kind that this program does not know


def _straight(field: Message, dice: random.Random) -> Any:
    """A way straight to any place in a band."""
    bands = field.get("bands", [])
    places = [cell for band in bands for cell in band.get("cells", [])]
    places += [corner for band in bands for region in band.get("regions", []) for corner in region]
    return dice.choice(places) if places else IMPOSSIBLE


def _spread(field: Message) -> Any:
    """Every item into the first slot that it may take and that has room."""
    slots, room = [slot["id"] for slot in field.get("slots", [])], dict(field.get("room", {}))
    found: dict[str, str] = {}
    for item in field.get("items", []):
        barred = {bar["id"] for bar in field.get("bars", {}).get(item["id"], [])}
        slot = next((slot for slot in slots if slot not in barred and room.get(slot, 1) > 0), None)
        if slot is None:
            return IMPOSSIBLE
        found[item["id"]] = slot
        if slot in room:
            room[slot] -= 1
    return found


async def fill(client: Foreign, choice: Message, dice: random.Random) -> Message | None:
    """The fields of a choice, asked for one after another where they are lazy; None where there is nothing to pick."""
    fields: Message = {}
    for field in choice.get("fields", []):
        if field.get("auto"):
            continue  # the server fills in what it shows, or would show
        known = await client.detail(choice["id"], fields) if field.get("lazy") else field
        value = value_for(known, dice) if known else IMPOSSIBLE
        if value is IMPOSSIBLE:
            return None
        fields[field["key"]] = value
    return fields


async def act_once(client: Foreign, dice: random.Random) -> list[str]:
    """Do something that the prompt offers, mostly something that has to be filled in; returns the codes of what was
    refused before that."""
    refused: list[str] = []
    shown = client.prompt
    choices = sorted(shown["choices"], key=lambda choice: (bool(choice.get("fields")), dice.random()), reverse=True)
    if dice.random() < PLAINLY:
        dice.shuffle(choices)
    for choice in choices:
        fields = await fill(client, choice, dice)
        if client.prompt.get("id") != shown["id"]:
            break
        if fields is None:
            continue
        code = await client.act(choice["id"], fields)
        if not code:
            client.done.append(choice["id"])
            break
        refused.append(code)
    return refused


async def play(players: list[Foreign], dice: random.Random, is_over: Callable[[], bool]) -> list[str]:
    """Act and answer wherever a prompt offers a choice, each answer once; returns the codes of all refusals."""
    answered: dict[str, str] = {}
    refused: list[str] = []
    while not is_over():
        for player in players:
            shown = player.prompt
            if not shown.get("choices") or answered.get(player.name) == shown["id"] or is_over():
                continue
            refused += await act_once(player, dice)
            if shown.get("window", "turn") != "turn":
                answered[player.name] = shown["id"]
        await asyncio.sleep(0)
    return refused
