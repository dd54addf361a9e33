"""The asyncio server: gateway, lobby, match hosts, stores, bots. Imports engine and protocol."""
