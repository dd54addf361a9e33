"""Addresses of servers, and the connection to one."""
