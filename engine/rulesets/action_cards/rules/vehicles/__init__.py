"""Vehicles on the ground and in the air, and transports."""
