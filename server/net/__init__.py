"""The network side of the server: connections, their limits, and the routing of their messages. Imports lobby and
below."""
