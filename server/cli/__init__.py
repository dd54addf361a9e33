"""The command line of `eschaton-server`: one module for each command, and the places that settings may come from."""
