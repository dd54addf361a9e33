"""The rules, a module a chapter: checks, procedures, verbs. Imports state; content is data that the state carries."""
