"""Start of the bundled program: as a child that runs one module, as the server's commands, or as the client."""

import sys
from multiprocessing import freeze_support

from protocol.child_commands import run_as_child


def main() -> None:
    """Run what the arguments ask for; without any, the window opens at its first screen."""
    freeze_support()
    run_as_child()
    if sys.argv[1:2] == ["server"]:
        from server.cli.main import main as server

        sys.exit(server(sys.argv[2:]))
    from client.app.main import main as client

    client()


if __name__ == "__main__":
    main()
