"""The process that the server is: its signals, its files and its time."""
