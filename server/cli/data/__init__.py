"""Commands about what a host keeps: backups, exports, checks of the store, signing keys. They import the rooms of the
server."""
