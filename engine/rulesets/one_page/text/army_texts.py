"""English texts of army lists."""

from __future__ import annotations

from typing import Final

ENGLISH: Final[dict[str, str]] = {
    "op.list.no-army": "There is no army {army} here. Choose one that this server has.",
    "op.list.limit": "A list is for 3000 or 6000 points, not for {limit}.",
    "op.list.empty": "The list is empty. Take some units.",
    "op.list.too-long": "The list has more units than can be told. {most} are the most.",
    "op.list.long-code": "The list has more lines than its code can hold: {most} signs. Leave some lines out.",
    "op.list.none-of": "The list names {unit} but takes none of it. Take one at least, or leave it out.",
    "op.list.no-unit": "{army} has no unit {unit}. Leave it out.",
    "op.list.points": "{points} points are {over} more than the {limit} that are agreed.",
    "op.list.heroes": "{heroes} Heroes are too many: {most} at most.",
    "op.list.special": "{special} Monsters, Walkers and Vehicles are too many: {most} at most.",
    "op.list.no-double": "{unit} cannot be doubled: only Infantry can, and no Heroes or Psykers.",
    "op.list.no-psyker": "{unit} studies no discipline: it is no Psyker.",
    "op.list.no-discipline": "{unit} needs a discipline.",
    "op.list.unknown-discipline": "{unit}: there is no discipline {discipline}.",
    "op.list.no-upgrade": "{unit} has no upgrade {number}.",
    "op.list.upgrade-twice": "{unit}: {weapon} {most|can be had once only|can be had {most} times only}.",
    "op.list.no-models": (
        "{unit}: {models|a model|{models} models} with {old} would be needed for {new}, and "
        "{left|there is one left|there are {left} left}."
    ),
    "op.list.no-code": "This is no code of an army list. Copy it whole, from the letters at its start.",
    "op.list.damaged": "This code is damaged: a sign is wrong or missing. Copy it once more.",
    "op.list.newer": (
        "This list was made for {army}, version {version}; here it is version {known}. Use a server that is up to date."
    ),
    "op.list.outdated": "This list is of version {version}; up to version {known} things in it are no more.",
    "op.list.changed": "Version {version}, {unit}: {why}",
    "op.list.file": "{problem}",
    "op.setup.points": "{points} points are more than the {limit} of this table.",
    "op.list.row": "{count} x {unit}: {points} points",
    "op.list.row.more": "{count} x {unit}, {more}: {points} points",
    "op.list.total": "{points} of {limit} points, {heroes|1 Hero|{heroes} Heroes}, {special} Special",
    "op.words": "{words}",
    "op.kind.hero": "Heroes",
    "op.kind.psyker": "Psykers",
    "op.kind.infantry": "Infantry",
    "op.kind.monster": "Monsters",
    "op.kind.walker": "Walkers",
    "op.kind.vehicle": "Vehicles",
    "op.form.title": "Army list: {army}",
    "op.form.army": "Army",
    "op.form.limit": "Points",
    "op.form.points": "{points}",
    "op.form.each": "{points} each",
    "op.form.more": "+{points}",
    "op.form.less": "-{points}",
    "op.form.frame": "Army and size",
    "op.form.list": "Your list",
    "op.form.unit": "{unit}",
    "op.form.big": "{unit}, doubled",
    "op.form.doubled": "Two as one big unit",
    "op.form.discipline": "Discipline",
    "op.form.split": "Another line of it",
    "op.form.sample": "Take the ready list",
    "op.form.chance": "Draw a list by lot",
    "op.form.clear": "Clear the list",
    "op.form.upgrade": "{models|1 model|{models} models}: {new} for {old}",
    "op.form.upgrade.all": "All: {new} for {old}",
    "op.form.profile": "Quality {quality}+, {models|1 model|{models} models}, {weapons}",
    "op.form.profile.tough": "Quality {quality}+, {models|1 model|{models} models} of Tough({tough}), {weapons}",
}
