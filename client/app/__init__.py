"""The program: its commands, its window and its navigator between screens. Imports all packages of the client."""
