"""The report of the command: one paragraph, or one line of JSON, for everything that is wrong."""

from __future__ import annotations

import json

from server.cli.doctor.checks import CHECKS, examine, left_out
from server.cli.doctor.facts import gather
from server.cli.settings.settings import ServerSettings


def run(given: ServerSettings, *, as_json: bool) -> int:
    """Run the command; return 1 where anything is wrong. Raises CommandError for settings of no sense."""
    facts = gather(given)
    found = list(examine(facts))
    for trouble in found:
        if as_json:
            print(json.dumps(trouble._asdict()))
        else:
            print(f"{trouble.check}: {trouble.what}\n    {trouble.mend}")
    if not as_json:
        skipped = left_out(facts)
        if skipped:
            print(f"Not looked at, without --metrics HOST:PORT of a server that runs: {', '.join(skipped)}.")
        wrong = "nothing is wrong" if not found else f"{len(found)} {'is' if len(found) == 1 else 'are'} wrong"
        print(f"{len(CHECKS) - len(skipped)} things looked at: {wrong}.")
    return 1 if found else 0
