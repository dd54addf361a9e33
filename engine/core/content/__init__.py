"""Content in TOML, read and checked, with every fault by file and line. Imports rules."""
