"""The asyncio shell: gateway, lobby, match hosts, stores, bots. Imports engine and protocol."""
