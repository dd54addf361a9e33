"""From mouse and keys to a reply: prompts, drafts of fields, army lists. Opens no window. Imports model and all below
it."""
