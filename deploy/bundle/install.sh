#!/bin/sh
# Puts Eschaton into the menu of the desktop, for the person who runs this. The folder stays where it is.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
menu=${XDG_DATA_HOME:-$HOME/.local/share}/applications
mkdir -p "$menu"
{
    grep -v -e '^Exec=' -e '^Icon=' "$here/eschaton.desktop"
    printf 'Exec="%s/Eschaton"\nIcon=%s/eschaton.png\n' "$here" "$here"
} > "$menu/eschaton.desktop"
echo "Eschaton is in the menu now. To take it out again: rm \"$menu/eschaton.desktop\""
