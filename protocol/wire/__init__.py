"""Messages of client and server, their codec, and both sides of a conversation. Imports scene, proof and the top."""
