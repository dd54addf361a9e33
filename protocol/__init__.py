"""The leaf room: wire messages, scene vocabulary, codec and dice derivation. Imports no other room."""
